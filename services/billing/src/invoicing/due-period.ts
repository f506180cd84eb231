import { periodBounds, periodOf } from '@tollgate/kernel/period';

/** The age beyond which an event is refused: an hour is final once the watermark has passed its end by that. */
export const finalAfterMs = 86_400_000;

export interface CloseProgress {
  /** The watermark. */
  readonly countedThroughMs: number;
  readonly lastClosed: string | null;
  /** The earliest hour that has usage. Asked for only while nothing was ever closed. */
  readonly firstUsageMs: number | null;
}

/** Periods close in order, each once its last hour is final. Undefined: none is due. */
export function duePeriod({ countedThroughMs, lastClosed, firstUsageMs }: CloseProgress): string | undefined {
  const next = lastClosed === null ? firstPeriod(firstUsageMs) : followingPeriod(lastClosed);
  if (next === undefined) return undefined;
  return closableAtMs(next) <= countedThroughMs ? next : undefined;
}

/** Where the watermark must stand: then every hour of the period is final. */
export function closableAtMs(period: string): number {
  return periodBounds(period).end + finalAfterMs;
}

function firstPeriod(firstUsageMs: number | null): string | undefined {
  return firstUsageMs === null ? undefined : periodOf(firstUsageMs);
}

export function followingPeriod(period: string): string {
  return periodOf(periodBounds(period).end);
}
