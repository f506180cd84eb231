import { unreachable } from '@tollgate/kernel/unreachable';
import type { AttemptStatus } from '../processor/attempt.ts';
import { failPayout, payPayout, schedulePayoutAgain, type MovedPayout, retryAtMs } from './move-payout.ts';
import { overpaidPosting, overpaidReversedPosting, reversedPosting } from './payout-postings.ts';
import type { Payout } from './payout.ts';

export interface TransferOutcome {
  readonly payout: Payout;
  readonly attemptNumber: number;
  /** The amount of the attempt: that of the payout when it was ordered. */
  readonly cents: bigint;
  /** The status of the attempt before this outcome. */
  readonly before: AttemptStatus;
  readonly status: Exclude<AttemptStatus, 'unknown'>;
  readonly failureCode: string | undefined;
  readonly atMs: number;
  /** Other successful transfers of this payout. There should be none. */
  readonly otherTransfers: number;
}

/**
 * Plans how the outcome of a transfer changes its payout. A payout is paid while one of its transfers succeeded and was
 * not reversed. The processor's report counts however late it comes. Money that left without need is the builder's debt
 * (F50).
 */
export function planTransferOutcome(outcome: TransferOutcome): MovedPayout {
  switch (outcome.status) {
    case 'succeeded':
      return succeed(outcome);
    case 'failed':
      return fail(outcome);
    case 'reversed':
      return outcome.before === 'succeeded' ? reverse(outcome) : fail(outcome);
    default:
      return unreachable(outcome.status);
  }
}

function succeed(outcome: TransferOutcome): MovedPayout {
  const { payout, atMs } = outcome;
  switch (payout.status) {
    case 'scheduled':
      return payPayout(payout, outcome);
    case 'failed': {
      const scheduled = schedulePayoutAgain(payout, atMs); // the payout counted as failed until now
      const paid = payPayout(scheduled.payout, outcome);
      return { payout: paid.payout, postings: [...scheduled.postings, ...paid.postings] };
    }
    case 'paid':
      return { payout, postings: [overpaidPosting(payout, outcome)] };
    default:
      return unreachable(payout.status);
  }
}

function fail({ payout, before, failureCode, atMs }: TransferOutcome): MovedPayout {
  const isCurrent = before === 'unknown' && payout.status === 'scheduled'; // otherwise another transfer decides
  if (!isCurrent) return { payout, postings: [] };
  // Our own lack of money is no failure of the payout: it stays scheduled, and is tried about once an hour (F53, F116).
  if (failureCode === 'insufficient_funds_of_platform')
    return { payout: { ...payout, dueAtMs: retryAtMs({ id: payout.id, failures: 1, nowMs: atMs }) }, postings: [] };
  const dueAtMs = retryAtMs({ id: payout.id, failures: payout.failures + 1, nowMs: atMs });
  return failPayout(payout, { atMs, dueAtMs });
}

function reverse(outcome: TransferOutcome): MovedPayout {
  const { payout, otherTransfers, atMs } = outcome;
  if (otherTransfers > 0) return { payout, postings: [overpaidReversedPosting(payout, outcome)] };
  const dueAtMs = retryAtMs({ id: payout.id, failures: payout.failures + 1, nowMs: atMs });
  const failed = failPayout(payout, { atMs, dueAtMs });
  return { payout: failed.payout, postings: [reversedPosting(payout, outcome), ...failed.postings] };
}
