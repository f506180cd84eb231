import { setTimeout as wait } from 'node:timers/promises';
import { hostname } from 'node:os';
import { systemClock } from '@tollgate/kernel/clock';
import { TollgateError, type Tollgate } from '@tollgate/sdk';

const clientLengthMax = 80;

/** Returns the name of this program on the page: printable ASCII. */
export function clientName(host: string = hostname()): string {
  return `tollgate on ${host}`.replaceAll(/[^ -~]/g, '?').slice(0, clientLengthMax);
}

export interface AskedLogin {
  readonly device_code: string;
  readonly expires_in: number;
  readonly interval: number;
}

/**
 * Asks for the token until somebody has approved, as RFC 8628 has it. A network or a service that is away for a while
 * ends nothing: the code lives on.
 */
export async function waitForToken({ auth }: Pick<Tollgate, 'auth'>, asked: AskedLogin): Promise<string> {
  const untilMs = systemClock.monotonicMs() + asked.expires_in * 1_000;
  let seconds = asked.interval;
  for (;;) {
    await wait(seconds * 1_000);
    try {
      return (await auth.redeemDeviceLogin({ device_code: asked.device_code })).access_token;
    } catch (error) {
      if (!(error instanceof TollgateError) || !isPassing(error) || systemClock.monotonicMs() > untilMs) throw error;
      if (error.code === 'slow_down') seconds += 5;
    }
  }
}

function isPassing({ code, status }: TollgateError): boolean {
  const passing = ['authorization_pending', 'slow_down', 'rate_limit_exceeded', 'connection_failed', 'timed_out'];
  return passing.includes(code) || status >= 500;
}
