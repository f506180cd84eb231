import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { dayOf } from '@tollgate/kernel/period';
import { sumOf } from './robust.ts';

/** The spending of each hour of a stretch of time, in micro-dollars, the oldest first; hours without calls are 0. */
export interface SpendingHistory {
  /** A full hour. */
  readonly startMs: number;
  readonly hours: readonly bigint[];
}

export interface SpendingDays {
  /** The start of the first day, in UTC. */
  readonly startMs: number;
  /** The spending of each whole day. */
  readonly days: readonly bigint[];
}

export function endOf({ startMs, hours }: SpendingHistory): number {
  return startMs + hours.length * hourMs;
}

/** Sums the spending from one time to another; the history has all of it. */
export function spentIn({ startMs, hours }: SpendingHistory, fromMs: number, toMs: number): bigint {
  return sumOf(hours.slice((fromMs - startMs) / hourMs, (toMs - startMs) / hourMs));
}

/** The whole days of a history, from the day after the first call on: the day of that call was not a whole one. */
export function wholeDaysOf(history: SpendingHistory): SpendingDays {
  const first = history.hours.findIndex((spent) => spent !== 0n);
  const endMs = dayOf(endOf(history));
  if (first === -1) return { startMs: endMs, days: [] };
  const startMs = dayOf(history.startMs + first * hourMs) + dayMs;
  const days: bigint[] = [];
  for (let ms = startMs; ms < endMs; ms += dayMs) days.push(spentIn(history, ms, ms + dayMs));
  return { startMs, days };
}
