import { hourMs } from '@tollgate/kernel/durations';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { LedgerPosting } from '../ledger/ledger-posting.ts';
import { failedPosting, scheduledPosting, transferredPosting, type Transfer } from './payout-postings.ts';
import type { Payout, PayoutStatus } from './payout.ts';

type PayoutMove = 'pay' | 'fail' | 'schedule';

/** The moves of a payout, back and forth. Each move has its posting, so no money is lost in between. */
const transitions = {
  scheduled: { pay: 'paid', fail: 'failed' },
  failed: { schedule: 'scheduled' },
  paid: { fail: 'failed' },
} satisfies Record<PayoutStatus, Partial<Record<PayoutMove, PayoutStatus>>>;

/** A payout after a move, with the postings of the move. */
export interface MovedPayout {
  readonly payout: Payout;
  readonly postings: readonly LedgerPosting[];
}

/** The transfer succeeded. */
export function payPayout(before: Payout, transfer: Transfer): MovedPayout {
  const paid = { failures: 0, failingSinceMs: null, dueAtMs: null, paidAtMs: transfer.atMs };
  const payout = { ...before, status: after(before, 'pay'), ...paid };
  return { payout, postings: [transferredPosting(payout, transfer)] };
}

/** The transfer failed, and is tried again at `dueAtMs`. Null: the payout waits for a payout account. */
export function failPayout(
  before: Payout,
  at: { readonly atMs: number; readonly dueAtMs: number | null },
): MovedPayout {
  const { failures, failingSinceMs } = before;
  const failed = { failures: failures + 1, failingSinceMs: failures === 0 ? at.atMs : (failingSinceMs ?? at.atMs) };
  const payout = { ...before, status: after(before, 'fail'), ...failed, dueAtMs: at.dueAtMs, paidAtMs: null };
  return { payout, postings: [failedPosting(payout, at.atMs)] };
}

/** A failed payout is scheduled again. */
export function schedulePayoutAgain(before: Payout, atMs: number): MovedPayout {
  const schedules = before.schedules + 1;
  const payout = { ...before, status: after(before, 'schedule'), schedules, dueAtMs: atMs };
  return { payout, postings: [scheduledPosting(payout, atMs)] };
}

/** Lowers a failed payout to this net. Refunds have taken the rest of it. */
export function lowerPayout(before: Payout, netCents: bigint): Payout {
  return { ...before, netCents, heldCents: before.heldCents + before.netCents - netCents };
}

function after({ id, status }: Payout, move: PayoutMove): PayoutStatus {
  const next = (transitions[status] as Partial<Record<PayoutMove, PayoutStatus>>)[move];
  if (next !== undefined) return next;
  throw new Error(`Payout ${id} is ${status}: it cannot ${move}.`);
}

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
