import { dayMs, hourMs } from '@tollgate/kernel/durations';

const waitsMs = [hourMs, 6 * hourMs, dayMs, 3 * dayMs];

/** When an automatic top-up is tried again after so many failures in a row. A new payment method ends the wait. */
export function retryAutoTopUpAtMs(failures: number, nowMs: number): number {
  return nowMs + (waitsMs[Math.max(failures, 1) - 1] ?? 7 * dayMs);
}
