import { dayMs, hourMs } from './durations.ts';

const periodPattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** Half-open, `[start, end)`, in milliseconds since the epoch. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** The start of this moment's UTC hour. UTC has no summer time: each hour has 3,600,000 ms and comes once. */
export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/** The start of this moment's UTC day. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}

/** This moment's UTC date: 'YYYY-MM-DD'. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Remembers the month that was asked for last: most questions are about the present one, and a date takes 1.5 µs to
 * write.
 */
let lastPeriod = '';
let lastBounds: Bounds = { start: 0, end: 0 };

/** This moment's billing period, a calendar month in UTC: 'YYYY-MM'. */
export function periodOf(ms: number): string {
  if (lastBounds.start <= ms && ms < lastBounds.end) return lastPeriod;
  const period = new Date(ms).toISOString().slice(0, 7);
  if (!periodPattern.test(period)) return period; // beyond the year 9999
  [lastPeriod, lastBounds] = [period, periodBounds(period)];
  return period;
}

/** Throws RangeError for text that is no 'YYYY-MM'. The end of one period is the start of the next. */
export function periodBounds(period: string): Bounds {
  const match = periodPattern.exec(period);
  if (!match) throw new RangeError(`not a billing period: ${JSON.stringify(period)}`);
  const year = Number(match[1]);
  const monthIndex = Number(match[2]) - 1;
  return { start: startOfMonth(year, monthIndex), end: startOfMonth(year, monthIndex + 1) };
}

/** `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function startOfMonth(year: number, monthIndex: number): number {
  return new Date(0).setUTCFullYear(year, monthIndex, 1);
}
