import { periodBounds } from '@tollgate/kernel/period';

export interface PayoutProgress {
  /** The first closed period whose payout day has not been worked off. */
  readonly next: string | null;
}

/** The period whose payout day has come, if any: in order, and never before its close. */
export function duePayoutDay(progress: PayoutProgress, at: { readonly nowMs: number; readonly delayMs: number }) {
  if (progress.next === null) return undefined;
  return periodBounds(progress.next).end + at.delayMs <= at.nowMs ? progress.next : undefined;
}
