import { hourMs } from '@tollgate/kernel/durations';
import { uuidV8 } from '@tollgate/kernel/uuid';

const firstMs = hourMs;
const longestMs = 24 * hourMs;
const doublingsMax = 5; // from an hour to beyond a day

/**
 * When to try again after the n-th failure in a row. The wait is an hour, and doubles up to a day. Half of it is
 * jitter, so that payouts that failed together do not return together. The jitter is derived from the id, so it is the
 * same after a crash.
 */
export function retryAtMs(retry: { readonly id: string; readonly failures: number; readonly nowMs: number }): number {
  const doublings = Math.min(Math.max(retry.failures - 1, 0), doublingsMax);
  const wholeMs = Math.min(firstMs * 2 ** doublings, longestMs);
  const spread = Number.parseInt(uuidV8('retry', retry.id, String(retry.failures)).slice(0, 8), 16) / 2 ** 32;
  return retry.nowMs + Math.floor(wholeMs / 2 + (wholeMs / 2) * spread);
}
