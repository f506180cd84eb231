import { dayMs } from '@tollgate/kernel/durations';
const retryAfterMs = [1, 3, 5, 7].map((days) => days * dayMs);
const uncollectibleAfterMs = 60 * dayMs;

/** When a charge that was declined is tried again, counted from the close; null: not any more by itself. */
export function nextCollectionMs(issuedAtMs: number, nowMs: number): number | null {
  return retryAfterMs.map((afterMs) => issuedAtMs + afterMs).find((atMs) => atMs > nowMs) ?? null;
}

/** What became due by then, and is not paid yet, will not be. */
export function uncollectibleIfDueBy(nowMs: number): number {
  return nowMs - uncollectibleAfterMs;
}
