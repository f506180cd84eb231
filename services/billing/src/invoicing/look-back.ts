import { periodBounds, type Bounds } from '@tollgate/kernel/period';

/**
 * How far back the close looks for what was counted late. Within 24 hours is the rule; later come only records that a
 * frozen gateway held, or dead letters that an operator replays. Without an end each close would add up all of history.
 */
const monthsMax = 12;

export interface LookBack extends Bounds {
  readonly firstPeriod: string;
}

/** From the first period that is looked back at to the end of this one. */
export function lookBackFrom(period: string): LookBack {
  const firstPeriod = monthsBefore(period, monthsMax);
  return { firstPeriod, start: periodBounds(firstPeriod).start, end: periodBounds(period).end };
}

function monthsBefore(period: string, months: number): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const index = year * 12 + (month - 1) - months;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
