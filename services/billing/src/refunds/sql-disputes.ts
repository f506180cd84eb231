import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { ProcessorDispute } from '../processor/processor.ts';

export interface KnownDispute {
  readonly id: string;
  readonly processor: string;
  readonly invoiceId: string;
}

const insertText = `
insert into billing.dispute (dispute_id, processor, processor_dispute_id, invoice_id, amount_cents, status, opened_at)
values ($1, $2, $3, $4, $5, 'open', $6)
on conflict do nothing`;

/** Stores a dispute, unless it is known. */
export async function addDispute(tx: Transaction, known: KnownDispute, dispute: ProcessorDispute): Promise<void> {
  const { id, processor, invoiceId } = known;
  const amount = String(dispute.amountCents);
  await tx.query(insertText, [id, processor, dispute.objectId, invoiceId, amount, toIso(dispute.createdAtMs)]);
}

const lockText = `select status from billing.dispute where dispute_id = $1 for update`;

/** Locks the dispute until the transaction ends, and returns its stored status. */
export async function lockDispute(tx: Transaction, id: string): Promise<ProcessorDispute['status']> {
  return onlyRow(await tx.query<{ status: ProcessorDispute['status'] }>(lockText, [id])).status;
}

export interface DisputeClosed {
  readonly status: 'won' | 'lost';
  /** The refund that a lost dispute became; null if it was won. */
  readonly refundId: string | null;
  readonly closedAtMs: number;
}

const closeText = `update billing.dispute set status = $2, refund_id = $3, closed_at = $4 where dispute_id = $1`;

export async function closeDispute(tx: Transaction, id: string, closed: DisputeClosed): Promise<void> {
  await tx.query(closeText, [id, closed.status, closed.refundId, toIso(closed.closedAtMs)]);
}
