import { periodBounds, type Bounds } from '@tollgate/kernel/period';

/**
 * How many months back the close looks for usage that was counted late. Usually events are counted within 24 hours;
 * only frozen gateways and replayed dead letters take longer. Without this bound each close would add up the whole
 * history.
 */
const monthsMax = 12;

export interface LookBack extends Bounds {
  readonly firstPeriod: string;
}

/** The months that a close of `period` rates: the 12 before it, and itself. */
export function lookBackFrom(period: string): LookBack {
  const firstPeriod = monthsBefore(period, monthsMax);
  return { firstPeriod, start: periodBounds(firstPeriod).start, end: periodBounds(period).end };
}

function monthsBefore(period: string, months: number): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const index = year * 12 + (month - 1) - months;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
