import type { LedgerPosting } from '../ledger/ledger-posting.ts';
import { failedPosting, scheduledPosting, transferredPosting, type Transfer } from './payout-postings.ts';
import type { Payout, PayoutStatus } from './payout.ts';

type PayoutMove = 'pay' | 'fail' | 'schedule';

/** A payout goes on and comes back; nothing is lost in between, for each way has its posting. */
const transitions = {
  scheduled: { pay: 'paid', fail: 'failed' },
  failed: { schedule: 'scheduled' },
  paid: { fail: 'failed' },
} satisfies Record<PayoutStatus, Partial<Record<PayoutMove, PayoutStatus>>>;

/** What becomes of a payout, and what the ledger is told of it. */
export interface MovedPayout {
  readonly payout: Payout;
  readonly postings: readonly LedgerPosting[];
}

export function payPayout(before: Payout, transfer: Transfer): MovedPayout {
  const payout = { ...before, status: after(before, 'pay'), failures: 0, dueAtMs: null, paidAtMs: transfer.atMs };
  return { payout, postings: [transferredPosting(payout, transfer)] };
}

/** `dueAtMs` null: it waits for a payout account. */
export function failPayout(
  before: Payout,
  at: { readonly atMs: number; readonly dueAtMs: number | null },
): MovedPayout {
  const failures = before.failures + 1;
  const payout = { ...before, status: after(before, 'fail'), failures, dueAtMs: at.dueAtMs, paidAtMs: null };
  return { payout, postings: [failedPosting(payout, at.atMs)] };
}

export function schedulePayoutAgain(before: Payout, atMs: number): MovedPayout {
  const schedules = before.schedules + 1;
  const payout = { ...before, status: after(before, 'schedule'), schedules, dueAtMs: atMs };
  return { payout, postings: [scheduledPosting(payout, atMs)] };
}

function after({ id, status }: Payout, move: PayoutMove): PayoutStatus {
  const next = (transitions[status] as Partial<Record<PayoutMove, PayoutStatus>>)[move];
  if (next !== undefined) return next;
  throw new Error(`Payout ${id} is ${status}: it cannot ${move}.`);
}
