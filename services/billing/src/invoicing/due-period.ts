import { eventAgeMaxMs } from '@tollgate/contracts/events/events';
import { periodBounds, periodOf } from '@tollgate/kernel/period';

export interface CloseProgress {
  readonly countedThroughMs: number;
  readonly lastClosed: string | null;
  /** The earliest hour that has usage. Null when nothing was used, and also when a period has been closed. */
  readonly firstUsageMs: number | null;
}

/**
 * The next period to close: periods close in order, each when its last hour is final. Undefined if none can close now.
 */
export function duePeriod({ countedThroughMs, lastClosed, firstUsageMs }: CloseProgress): string | undefined {
  const next = lastClosed === null ? firstPeriod(firstUsageMs) : followingPeriod(lastClosed);
  if (next === undefined) return undefined;
  return closableAtMs(next) <= countedThroughMs ? next : undefined;
}

/** The period can close when the watermark reaches this time. Every hour of it is final, as gateways refuse older events. */
export function closableAtMs(period: string): number {
  return periodBounds(period).end + eventAgeMaxMs;
}

function firstPeriod(firstUsageMs: number | null): string | undefined {
  return firstUsageMs === null ? undefined : periodOf(firstUsageMs);
}

export function followingPeriod(period: string): string {
  return periodOf(periodBounds(period).end);
}

/**
 * How many months back the close bills usage that was counted late. Usually events are counted within 24 hours; only frozen
 * gateways and replayed dead letters take longer.
 */
const monthsMax = 12;

/** The first period whose late usage a close of `period` bills. */
export function firstPeriodOfLookBack(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const index = year * 12 + (month - 1) - monthsMax;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
