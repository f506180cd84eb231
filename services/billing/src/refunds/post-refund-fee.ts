import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import { moveCents } from '../ledger/move-cents.ts';
import { postLedger } from '../ledger/sql-ledger.ts';

export interface RefundFee {
  /** The attempt of an ordered refund, or the refund that was made at the processor. */
  readonly movementId: string;
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** Posts the processor's fee on a refund, if it has one: the platform bears it. A second posting is refused. */
export async function postRefundFee(tx: Transaction, { movementId, cents, occurredAtMs }: RefundFee): Promise<void> {
  if (cents === 0n) return;
  const accounts = { debit: { kind: 'processor_fees' }, credit: { kind: 'cash' } } as const;
  await postLedger(tx, [moveCents({ businessKey: `refund-fee:${movementId}`, occurredAtMs, cents, ...accounts })]);
}

const insertText = `insert into billing.foreign_refund_fee (refund_id, fee_cents, posted_at) values ($1, $2, $3)`;

/** Stores and posts the fee of a refund that somebody made at the processor. */
export async function bookForeignFee(tx: Transaction, fee: RefundFee): Promise<void> {
  const { movementId, cents, occurredAtMs } = fee;
  if (cents !== 0n) await tx.query(insertText, [movementId, String(cents), toIso(occurredAtMs)]);
  await postRefundFee(tx, fee);
}
