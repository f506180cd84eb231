import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Transaction } from '@tollgate/database/database';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { lockRefund, setRefundStatus } from './sql-refunds.ts';
import { applyRefund, postRefundFee, keepReturnedRefund } from './apply-refund.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';
import { refundFreedPosting } from '../balance/balance-postings.ts';
import { lockTopUpCredits } from '../balance/sql-balance-credits.ts';
import { insertMoves } from '../balance/sql-balance-moves.ts';
import { lockTopUp } from '../balance/sql-top-ups.ts';
import { giveTopUpBack, takeTopUpBack } from '../balance/take-top-up-back.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { BalanceRefundPart } from './refund.ts';
import { lockBalanceRefundPart, setPartStatus } from './sql-balance-refunds.ts';

/**
 * Applies the outcome of a refund's attempt. A failed attempt gave nothing back, and the refund may be ordered again.
 */
export function createApplyRefundOutcome({ log }: { readonly log: Logger }): ApplyOutcome {
  return async function applyRefundOutcome(tx, attempt, { status, failureCode = null, feeCents, settledAtMs }) {
    const { invoiceId, amountCents, balanceCents, id, part, strayAttemptId } = await lockRefund(tx, attempt.subjectId);
    const hadSucceeded = attempt.status === 'succeeded'; // a reversal without a known success gave nothing back either
    // The processor keeps its fee on a refund whose money came back.
    if (status !== 'failed' && !hadSucceeded)
      await postRefundFee(tx, { movementId: attempt.id, cents: feeCents, occurredAtMs: settledAtMs });
    if (status === 'failed' || (status === 'reversed' && !hadSucceeded)) {
      await setRefundStatus(tx, id, { status: 'failed', failureCode, succeededAtMs: null });
      return;
    }
    if (status === 'reversed') {
      const returned = {
        refundId: id,
        attemptNumber: attempt.number,
        amountCents: attempt.amountCents,
        returnedAtMs: settledAtMs,
      };
      await keepReturnedRefund(tx, log, returned);
      return;
    }
    const invoice = await lockInvoice(tx, invoiceId);
    if (invoice === undefined) throw new Error(`there is no invoice ${invoiceId} to refund`);
    await setRefundStatus(tx, id, { status, failureCode: null, succeededAtMs: settledAtMs });
    const toBalance = { consumerId: invoice.consumerId, cents: balanceCents };
    await applyRefund(tx, { id, invoiceId, amountCents, toBalance, appliedAtMs: settledAtMs, part, strayAttemptId });
  };
}

/**
 * Applies the outcome of an order to its part of a balance's refund. Whatever the outcome, what is in transit comes back
 * onto the balance. If the money is gone, the balance gives it in the same transaction, as for any refund of a top-up. So an
 * order that succeeds after it was believed to have failed takes what is still there.
 */
export function createApplyBalanceRefundOutcome({ log }: { readonly log: Logger }): ApplyOutcome {
  return async function applyBalanceRefundOutcome(tx, attempt, { status, failureCode, feeCents, settledAtMs: nowMs }) {
    const hadSucceeded = attempt.status === 'succeeded'; // a reversal without a known success gave nothing back
    const part = await lockBalanceRefundPart(tx, attempt.subjectId);
    const { id, topUpId, amountCents } = part;
    const topUp = await lockTopUp(tx, topUpId);
    if (part.status === 'pending') await free(tx, part, nowMs);
    const result =
      status === 'succeeded'
        ? ({ status, failureCode: null } as const)
        : ({ status: 'failed', failureCode: failureCode ?? status } as const);
    await setPartStatus(tx, id, { ...result, settledAtMs: nowMs });
    if (status === 'succeeded') await takeTopUpBack(tx, log, { id, topUp, amountCents, cause: 'ordered', nowMs });
    if (hadSucceeded) await giveTopUpBack(tx, { id: uuidV8('refund', 'returned', id), refundId: id, nowMs });
    if (status !== 'failed' && !hadSucceeded)
      await postRefundFee(tx, { movementId: attempt.id, cents: feeCents, occurredAtMs: nowMs });
  };
}

async function free(
  tx: Transaction,
  { id: partId, topUpId, accountId, amountCents: cents }: BalanceRefundPart,
  nowMs: number,
) {
  await lockTopUpCredits(tx, { accountId });
  const posting = refundFreedPosting({ partId, accountId, cents, occurredAtMs: nowMs });
  const moves = [{ creditId: topUpId, amountCents: cents }];
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: nowMs }, moves);
  await postLedger(tx, [posting]);
}
