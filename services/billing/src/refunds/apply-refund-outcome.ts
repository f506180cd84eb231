import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { moveCents } from '../ledger/move-cents.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { lockRefund, setRefundStatus } from './sql-refunds.ts';
import { applyRefund } from './apply-refund.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';

/**
 * Applies the outcome of a refund's attempt. A failed attempt gave nothing back, and the refund may be ordered again.
 */
export function createApplyRefundOutcome({ log }: { readonly log: Logger }): ApplyOutcome {
  return async function applyRefundOutcome(tx, attempt, { status, failureCode = null, settledAtMs }) {
    const { invoiceId, amountCents, id } = await lockRefund(tx, attempt.subjectId);
    const hadSucceeded = attempt.status === 'succeeded'; // a reversal without a known success gave nothing back either
    if (status === 'failed' || (status === 'reversed' && !hadSucceeded)) {
      await setRefundStatus(tx, id, { status: 'failed', failureCode, succeededAtMs: null });
      return;
    }
    if (status === 'reversed') {
      await keepReturned(tx, { refundId: id, attemptNumber: attempt.number, amountCents, settledAtMs });
      return;
    }
    await lockInvoice(tx, invoiceId);
    await setRefundStatus(tx, id, { status, failureCode: null, succeededAtMs: settledAtMs });
    await applyRefund(tx, { id, invoiceId, amountCents, appliedAtMs: settledAtMs });
  };

  /**
   * The bank returned the money of a refund, which is rare. It belongs to no builder, so it waits in `rounding` until
   * the operator has found its owner.
   */
  async function keepReturned(tx: Parameters<ApplyOutcome>[0], returned: ReturnedRefund): Promise<void> {
    const { refundId, attemptNumber, amountCents: cents, settledAtMs: occurredAtMs } = returned;
    log.error({ refund: refundId }, 'the bank returned a refund; its money waits in the account rounding');
    const businessKey = `returned-refund:${refundId}:${attemptNumber}`;
    const accounts = { debit: { kind: 'cash' }, credit: { kind: 'rounding' } } as const;
    await postLedger(tx, [moveCents({ businessKey, occurredAtMs, cents, ...accounts })]);
  }
}

interface ReturnedRefund {
  readonly refundId: string;
  readonly attemptNumber: number;
  readonly amountCents: bigint;
  readonly settledAtMs: number;
}
