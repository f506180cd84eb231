import type { ClockState } from '@tollgate/contracts/sandbox-clock';
import { parseTimestamp } from '@tollgate/contracts/timestamp';
import type { Ask } from './ask.ts';

/** The service's clock, which the operator moves. It is frozen during the demo. */
export interface ServiceClock {
  /** Moves the clock to `time` unless it is later already. Resolves when everything due by then has happened. */
  standAt(time: string): Promise<void>;
  /** Lets the clock go on from `time`, which is not in its past. Resolves when everything due by then has happened. */
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
