import type { Transaction } from '@tollgate/database/database';
import { isStray } from '../processor/sql-paying-charges.ts';
import { isPart } from './sql-charges.ts';

const addText = `update billing.invoice set part_paid_cents = part_paid_cents + $2 where invoice_id = $1`;

/** Adds to what charges have paid of a locked invoice before its last one. */
export async function addPartPaid(tx: Transaction, invoiceId: string, cents: bigint): Promise<void> {
  await tx.query({ name: 'billing.add_part_paid', text: addText }, [invoiceId, String(cents)]);
}

const waitingText = `
select a.attempt_id, i.invoice_id, i.consumer_id, a.amount_cents
from billing.invoice i join billing.processor_attempt a on a.kind = 'charge' and a.subject_id = i.invoice_id
where i.invoice_id = $1 and i.status <> 'paid' and ($2::text is null or a.object_id = $2) and ${isPart} and not ${isStray}
order by a.number`;

export interface WaitingPart {
  readonly attemptId: string;
  readonly invoiceId: string;
  readonly consumerId: string;
  readonly cents: bigint;
}

export interface WaitingPartsOf {
  readonly invoiceId: string;
  /** Only this charge of the processor. All, if not given. */
  readonly chargeObjectId?: string;
}

/** Lists the charges whose money waits until a locked invoice is paid. */
export async function listWaitingParts(
  tx: Transaction,
  { invoiceId, chargeObjectId }: WaitingPartsOf,
): Promise<WaitingPart[]> {
  const rows = await tx.query<DbPart>(waitingText, [invoiceId, chargeObjectId ?? null]);
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    invoiceId: row.invoice_id,
    consumerId: row.consumer_id,
    cents: BigInt(row.amount_cents),
  }));
}

interface DbPart {
  readonly attempt_id: string;
  readonly invoice_id: string;
  readonly consumer_id: string;
  readonly amount_cents: string;
}
