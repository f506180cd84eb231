import type { ClockState } from '@tollgate/contracts/sandbox-clock';
import { parseTimestamp } from '@tollgate/contracts/timestamp';
import type { Ask } from './ask.ts';

/** The service's own, which its operator moves. It stands still for the demo, until it is let go. */
export interface ServiceClock {
  /** Resolved: it stands there, or where it stood if that is later, and all that was due by then is done. */
  standAt(time: string): Promise<void>;
  /** Not before where it stands. Resolved: it ticks on from there, and all that was due by then is done. */
  goOnFrom(time: string): Promise<void>;
}

const path = '/v1/sandbox/clock';

export async function readClock(ask: Ask, operatorToken: string): Promise<string> {
  return (await ask<ClockState>('GET', path, { token: operatorToken })).body.now;
}

export async function stopClock(ask: Ask, operatorToken: string): Promise<ServiceClock> {
  const move = async (body: { now?: string; frozen: boolean }) =>
    (await ask<ClockState>('POST', path, { token: operatorToken, body })).body.now;
  let stands = await move({ frozen: true });
  return {
    async standAt(time) {
      if (Date.parse(stands) < (parseTimestamp(time) ?? 0)) stands = await move({ now: time, frozen: true });
    },
    async goOnFrom(time) {
      await move({ now: time, frozen: false });
    },
  };
}
