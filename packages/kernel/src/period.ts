import { dayMs, hourMs } from './durations.ts';
const periodPattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** Half-open, `[start, end)`, in milliseconds since the epoch. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** The start of the UTC hour that holds this moment. UTC hours have no summer time: each is 3,600,000 ms and comes once. */
export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/** The start of the UTC day that holds this moment. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}

/** The UTC date that holds this moment: 'YYYY-MM-DD'. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The billing period, a calendar month in UTC, that holds this moment: 'YYYY-MM'. */
export function periodOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** Throws RangeError for text that is no 'YYYY-MM'. The end of one period is the start of the next. */
export function periodBounds(period: string): Bounds {
  const match = periodPattern.exec(period);
  if (!match) throw new RangeError(`not a billing period: ${JSON.stringify(period)}`);
  const year = Number(match[1]);
  const monthIndex = Number(match[2]) - 1;
  return { start: startOfMonth(year, monthIndex), end: startOfMonth(year, monthIndex + 1) };
}

/** Not `Date.UTC`, which takes the years 0 to 99 for 1900 to 1999. */
function startOfMonth(year: number, monthIndex: number): number {
  return new Date(0).setUTCFullYear(year, monthIndex, 1);
}
