import { dayMs } from '@tollgate/kernel/durations';
const retryAfterMs = [1, 3, 5, 7].map((days) => days * dayMs);
const uncollectibleAfterMs = 60 * dayMs;

/**
 * When an invoice is charged again after a declined charge: 1, 3, 5 or 7 days after its close. Null if it is not
 * charged again by itself.
 */
export function nextCollectionMs(issuedAtMs: number, nowMs: number): number | null {
  return retryAfterMs.map((afterMs) => issuedAtMs + afterMs).find((atMs) => atMs > nowMs) ?? null;
}

/** An invoice that was due at or before the returned time, and is not paid, counts as uncollectible now. */
export function uncollectibleIfDueBy(nowMs: number): number {
  return nowMs - uncollectibleAfterMs;
}
