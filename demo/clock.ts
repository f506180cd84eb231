import { setTimeout as wait } from 'node:timers/promises';
import type { ClockState } from '@tollgate/contracts/sandbox/sandbox-clock';
import { parseTimestamp } from '@tollgate/contracts/forms/timestamp';
import { toIso } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import type { Ask } from './ask.ts';

/** The service's clock, which the operator moves. It is frozen during the demo. */
export interface ServiceClock {
  /** Moves the clock to `time` or up to five minutes past it. Resolves when everything due by then has happened. */
  reach(time: string): Promise<void>;
  /** Lets the clock go on from `time`, which is not in its past. Resolves when everything due by then has happened. */
  goOnFrom(time: string): Promise<void>;
}

const path = '/v1/sandbox/clock';
/** Where several processes share the clock, each move takes seconds. So the clock follows the calls in steps. */
const stepMs = 5 * minuteMs;
const lookAgainMs = 500;

export async function readClock(ask: Ask, operatorToken: string): Promise<string> {
  return (await ask<ClockState>('GET', path, { token: operatorToken })).body.now;
}

export async function stopClock(ask: Ask, operatorToken: string): Promise<ServiceClock> {
  const move = async (body: { now?: string; frozen: boolean }) => {
    const moved = (await ask<ClockState>('POST', path, { token: operatorToken, body })).body;
    // A move with much work is answered before the work has ended.
    for (let state = moved; (state.worked_through ?? '') < moved.now; await wait(lookAgainMs))
      state = (await ask<ClockState>('GET', path, { token: operatorToken })).body;
    return moved.now;
  };
  let stands = await move({ frozen: true });
  return {
    async reach(time) {
      const wantedMs = parseTimestamp(time) ?? 0;
      if (Date.parse(stands) >= wantedMs) return;
      stands = await move({ now: toIso(Math.ceil(wantedMs / stepMs) * stepMs), frozen: true });
    },
    async goOnFrom(time) {
      await move({ now: time, frozen: false });
    },
  };
}
