import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import { postLedger } from '../ledger/sql-ledger.ts';
import { topUpRefundPosting } from './balance-postings.ts';
import { planReturning, planTaking } from './plan-spending.ts';
import { lockTopUpCredits } from './sql-balance-credits.ts';
import { insertMoves } from './sql-balance-moves.ts';
import {
  findTopUpRefund,
  insertTopUpRefund,
  isTopUpRefundUndone,
  readTakenByPosting,
  type TopUpRefundOrigin,
} from './sql-top-ups.ts';
import type { TopUp, TopUpRefundCause } from './credit.ts';

export interface TopUpTaken {
  readonly id: string;
  /** Locked. */
  readonly topUp: TopUp;
  readonly amountCents: bigint;
  readonly cause: Exclude<TopUpRefundCause, 'reinstated'>;
  readonly origin?: TopUpRefundOrigin;
  readonly nowMs: number;
}

/**
 * Books that money of a top-up is gone: consumer_balance → cash. Its own credit gives first, then the other top-ups of the
 * account, the newest first; granted credits give nothing. What was spent already comes from `rounding`, since paid
 * invoices stay paid (ADR 151). Safe to repeat while the top-up is locked.
 */
export async function takeTopUpBack(tx: Transaction, log: Logger, taken: TopUpTaken): Promise<void> {
  const { id, topUp, amountCents, cause, origin, nowMs } = taken;
  if (await findTopUpRefund(tx, id)) return;
  const { id: topUpId, accountId } = topUp;
  const moves = planTaking(await lockTopUpCredits(tx, { accountId, firstId: topUpId }), amountCents);
  const balanceCents = moves.reduce((sum, { amountCents: moved }) => sum - moved, 0n);
  const refund = { id, topUpId, accountId, amountCents, balanceCents, cause, createdAtMs: nowMs };
  await insertTopUpRefund(tx, refund, origin);
  const posting = topUpRefundPosting(refund);
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: nowMs }, moves);
  await postLedger(tx, [posting]);
  if (balanceCents === amountCents) return;
  const missing = formatUsd(centsToMicros(amountCents - balanceCents));
  const facts = { top_up: topUpId, account: accountId, cause, missing_usd: missing };
  log.error(facts, 'a refunded top-up was already spent; the loss is booked to `rounding`');
}

export interface TopUpGivenBack {
  readonly id: string;
  /** The refund that is undone. Its top-up is locked. */
  readonly refundId: string;
  readonly nowMs: number;
}

/** Undoes a refund of a top-up whose money came back: each account gets what it gave. Safe to repeat. */
export async function giveTopUpBack(tx: Transaction, { id, refundId, nowMs }: TopUpGivenBack): Promise<void> {
  const refund = await findTopUpRefund(tx, refundId);
  if (refund === undefined) throw new Error(`there is no refund ${refundId} of a top-up to undo`);
  if (await isTopUpRefundUndone(tx, refundId)) return;
  const { accountId, topUpId, amountCents, balanceCents } = refund;
  await lockTopUpCredits(tx, { accountId, firstId: topUpId });
  const taken = await readTakenByPosting(tx, topUpRefundPosting(refund).businessKey);
  const moves = planReturning(taken, balanceCents);
  const amounts = { amountCents: -amountCents, balanceCents: -balanceCents };
  const undone = { ...refund, ...amounts, id, cause: 'reinstated', createdAtMs: nowMs } as const;
  await insertTopUpRefund(tx, undone, { reinstates: refundId });
  const posting = topUpRefundPosting(undone);
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: nowMs }, moves);
  await postLedger(tx, [posting]);
}
