import { dayMs } from '@tollgate/kernel/durations';
import { dayOf, periodBounds, periodOf } from '@tollgate/kernel/period';

export type WindowKind = 'day' | 'month';

/** A day or a month in UTC, half-open, in epoch ms. */
export interface SpendingWindow {
  readonly startMs: number;
  readonly endMs: number;
}

export function windowAt(kind: WindowKind, atMs: number): SpendingWindow {
  if (kind === 'day') return { startMs: dayOf(atMs), endMs: dayOf(atMs) + dayMs };
  const { start: startMs, end: endMs } = periodBounds(periodOf(atMs));
  return { startMs, endMs };
}

/** The windows of the moments from `fromMs` to `toMs`, both included: a call that may fall into two is held in both. */
export function windowsBetween(kind: WindowKind, { fromMs, toMs }: { fromMs: number; toMs: number }): SpendingWindow[] {
  const windows = [windowAt(kind, fromMs)];
  for (let last = windows[0]; last !== undefined && last.endMs <= toMs; last = windows.at(-1))
    windows.push(windowAt(kind, last.endMs));
  return windows;
}
