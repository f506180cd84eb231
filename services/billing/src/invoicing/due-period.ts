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
