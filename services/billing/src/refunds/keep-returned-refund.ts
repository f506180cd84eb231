import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Transaction } from '@tollgate/database/database';
import { moveCents } from '../ledger/move-cents.ts';
import { hasPosting, postLedger } from '../ledger/sql-ledger.ts';

export interface ReturnedRefund {
  readonly refundId: string;
  readonly attemptNumber: number;
  readonly amountCents: bigint;
  readonly returnedAtMs: number;
}

/**
 * Books that the bank returned the money of a refund, which is rare. It belongs to no builder, so it waits in
 * `rounding` until the operator has found its owner. The refund must be locked. Safe to repeat.
 */
export async function keepReturnedRefund(tx: Transaction, log: Logger, returned: ReturnedRefund): Promise<void> {
  const { refundId, attemptNumber, amountCents: cents, returnedAtMs: occurredAtMs } = returned;
  const businessKey = `returned-refund:${refundId}:${attemptNumber}`;
  if (await hasPosting(tx, businessKey)) return;
  log.error({ refund: refundId }, 'the bank returned a refund; its money is booked to `rounding`');
  const accounts = { debit: { kind: 'cash' }, credit: { kind: 'rounding' } } as const;
  await postLedger(tx, [moveCents({ businessKey, occurredAtMs, cents, ...accounts })]);
}
