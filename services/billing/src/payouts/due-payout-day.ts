import { periodBounds } from '@tollgate/kernel/period';

export interface PayoutProgress {
  /** The first closed period whose payouts are still to be scheduled. */
  readonly next: string | null;
}

/**
 * Returns the period whose payout day has come, if any. Payout days come in order, and never before the period's close.
 */
export function duePayoutDay(progress: PayoutProgress, at: { readonly nowMs: number; readonly delayMs: number }) {
  if (progress.next === null) return undefined;
  return payoutDayMs(progress.next, at.delayMs) <= at.nowMs ? progress.next : undefined;
}

/** When the payout day of a period begins. */
export function payoutDayMs(period: string, delayMs: number): number {
  return periodBounds(period).end + delayMs;
}
