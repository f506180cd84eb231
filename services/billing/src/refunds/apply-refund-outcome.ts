import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { lockRefund, setRefundStatus } from './sql-refunds.ts';
import { applyRefund } from './apply-refund.ts';
import { postRefundFee } from './post-refund-fee.ts';
import { keepReturnedRefund } from './keep-returned-refund.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';

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
