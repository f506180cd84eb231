import type { Micros } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
import type { AttemptStatus } from '../processor/attempt.ts';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { Payout } from '../payouts/payout.ts';
import type { TracedPayout } from './trace.ts';

export interface PayoutTraceFacts {
  readonly isReleased: boolean;
  /** The payout that contains the earning; null if there is none yet. */
  readonly payout: Payout | null;
  readonly lastTransfer: { readonly status: AttemptStatus; readonly failureCode: string | null } | null;
  /** The builder has an enabled payout account. */
  readonly hasAccount: boolean;
  /** The builder's money of months up to the next payout's that is collected and in no payout. */
  readonly payableMicros: Micros;
  readonly minimumMicros: Micros;
  /** The period whose payout will contain the earning. */
  readonly nextPeriod: string;
  readonly delayMs: number;
}

const nothing = { id: null, period: null, paidAtMs: null, nextAtMs: null, failureCode: null } as const;

/** Traces the payout that contains a call's earning, or what the earning waits for. */
export function tracePayout(facts: PayoutTraceFacts): TracedPayout {
  if (!facts.isReleased) return { ...nothing, status: 'waiting', waitsFor: 'payment' };
  if (facts.payout === null) return { ...nothing, status: 'waiting', ...waitForPayout(facts) };
  const { id, period, paidAtMs, status, dueAtMs } = facts.payout;
  const failureCode = status === 'paid' ? null : (facts.lastTransfer?.failureCode ?? null);
  return { id, period, status, paidAtMs, nextAtMs: dueAtMs, failureCode, waitsFor: waitOfPayout(facts, facts.payout) };
}

/** A payout takes all payable money of months up to its own. */
function waitForPayout({ hasAccount, payableMicros, minimumMicros, nextPeriod, delayMs }: PayoutTraceFacts) {
  const nextAtMs = periodBounds(nextPeriod).end + delayMs;
  if (!hasAccount) return { waitsFor: 'payout_account', nextAtMs } as const;
  return { waitsFor: payableMicros < minimumMicros ? 'minimum' : 'payout_day', nextAtMs } as const;
}

function waitOfPayout({ lastTransfer }: PayoutTraceFacts, { status, dueAtMs }: Payout): TracedPayout['waitsFor'] {
  switch (status) {
    case 'paid':
      return null;
    case 'failed':
      return dueAtMs === null ? 'payout_account' : 'retry';
    case 'scheduled':
      return lastTransfer?.status === 'unknown' ? 'outcome' : 'transfer';
    default:
      return unreachable(status);
  }
}
