import type { Micros } from '@tollgate/kernel/money';
import { floorToCents } from '@tollgate/kernel/whole-cents';
import { lowerPayout, schedulePayoutAgain, type MovedPayout } from './move-payout.ts';
import type { Payout } from './payout.ts';

export interface RetryFacts {
  /** Failed, without a transfer that stands or whose outcome is unknown. */
  readonly payout: Payout;
  /** All that is payable to its builder, less what is held. */
  readonly payableMicros: Micros;
  readonly minimumMicros: Micros;
  readonly nowMs: number;
}

/**
 * Plans the next try of a failed payout: its net, or what is payable if refunds have left less. Undefined if that is
 * below the minimum, as money that waits for a payout day does.
 */
export function planRetry({ payout, payableMicros, minimumMicros, nowMs }: RetryFacts): MovedPayout | undefined {
  const payableCents = floorToCents(payableMicros);
  if (payableCents >= payout.netCents) return schedulePayoutAgain(payout, nowMs);
  if (payableMicros < minimumMicros || payableCents < 1n) return undefined;
  return schedulePayoutAgain(lowerPayout(payout, payableCents), nowMs);
}
