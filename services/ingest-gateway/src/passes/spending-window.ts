import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { dayOf, periodBounds, periodOf } from '@tollgate/kernel/period';

export type WindowKind = 'day' | 'month' | 'total';

/** A day or a month in UTC, or all time; half-open, in epoch ms. */
export interface SpendingWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** The end of a window that has none. */
const allTime: SpendingWindow = { startMs: 0, endMs: Date.parse('9999-12-31T00:00:00.000Z') };

export function windowAt(kind: WindowKind, atMs: number): SpendingWindow {
  if (kind === 'total') return allTime;
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

/** When the money of a window is free again; null for one that has no end. */
export function resetsAtOf({ endMs }: SpendingWindow): string | null {
  return endMs === allTime.endMs ? null : toIso(endMs);
}
