import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { moveCents } from '../ledger/move-cents.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { lockRefund, setRefundStatus } from './sql-refunds.ts';
import { applyRefund } from './apply-refund.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';

/** What became of a refund's order at the processor. One that failed gave nothing back, and may be ordered anew. */
export function createApplyRefundOutcome({ log }: { readonly log: Logger }): ApplyOutcome {
  return async function applyRefundOutcome(tx, attempt, { status, failureCode = null, settledAtMs }) {
    const { invoiceId, amountCents, id } = await lockRefund(tx, attempt.subjectId);
    const hadGone = attempt.status === 'succeeded'; // what came back before we knew that it had gone gave nothing either
    if (status === 'failed' || (status === 'reversed' && !hadGone)) {
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

  /** The bank sent it back: rare, and nobody's earning. The money waits in `rounding` until the operator has found its owner. */
  async function keepReturned(tx: Parameters<ApplyOutcome>[0], returned: Returned): Promise<void> {
    const { refundId, attemptNumber, amountCents: cents, settledAtMs: occurredAtMs } = returned;
    log.error({ refund: refundId }, 'a refund came back from the bank; its money is kept in the account rounding');
    const businessKey = `returned-refund:${refundId}:${attemptNumber}`;
    const accounts = { debit: { kind: 'cash' }, credit: { kind: 'rounding' } } as const;
    await postLedger(tx, [moveCents({ businessKey, occurredAtMs, cents, ...accounts })]);
  }
}

interface Returned {
  readonly refundId: string;
  readonly attemptNumber: number;
  readonly amountCents: bigint;
  readonly settledAtMs: number;
}
