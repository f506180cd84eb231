import type { ClockState } from '@tollgate/contracts/sandbox-clock';
import { parseTimestamp } from '@tollgate/contracts/timestamp';
import type { Ask } from './ask.ts';

/** The service's own, which its operator moves. It stands still for the demo, until it is let go. */
export interface ServiceClock {
  now(): string;
  /** Where it is there or beyond already it stays. Resolved: all that was due by then is done. */
  standAt(time: string): Promise<void>;
  /** The same, and it ticks on from there. */
  goOnFrom(time: string): Promise<void>;
}

export async function stopClock(ask: Ask, operatorToken: string): Promise<ServiceClock> {
  const move = async (body: { now?: string; frozen: boolean }) =>
    (await ask<ClockState>('POST', '/v1/sandbox/clock', { token: operatorToken, body })).body.now;
  let stands = await move({ frozen: true });
  return {
    now: () => stands,
    async standAt(time) {
      if (Date.parse(stands) < (parseTimestamp(time) ?? 0)) stands = await move({ now: time, frozen: true });
    },
    async goOnFrom(time) {
      await move({ now: time, frozen: false });
    },
  };
}
