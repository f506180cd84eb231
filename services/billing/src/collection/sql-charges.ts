import type { Queryable, Transaction } from '@tollgate/database/database';
import { isStray } from '../processor/sql-paying-charges.ts';

/** Says whether the charge `a` paid a part of its invoice, before the charge that paid the rest. */
export const isPart = `exists (
  select from billing.ledger_transaction t where t.business_key = 'part-paid:' || a.attempt_id)`;

export interface ChargeAt {
  readonly processor: string;
  readonly objectId: string;
}

// A refund of before charges in parts names no charge, and may be of any.
const leftText = `
select a.object_id, a.amount_cents - (select coalesce(sum(r.amount_cents - r.balance_cents), 0) from billing.refund r
    where r.invoice_id = a.subject_id and r.status <> 'failed' and r.stray_attempt_id is null
      and (r.charge_object_id is null or r.charge_object_id = a.object_id)) as left_cents
from billing.processor_attempt a
where a.kind = 'charge' and a.subject_id = $1 and a.status = 'succeeded' and not ${isStray}
order by left_cents, a.number`;

export interface ChargeLeft {
  readonly objectId: string;
  /** The part of it that is not refunded, in cents. */
  readonly leftCents: bigint;
}

/** Lists the charges that paid this invoice or top-up, those that have least left first. */
export async function listChargesOf(db: Queryable, subjectId: string): Promise<ChargeLeft[]> {
  const rows = await db.query<{ object_id: string; left_cents: string }>(leftText, [subjectId]);
  return rows.map((row) => ({ objectId: row.object_id, leftCents: BigInt(row.left_cents) }));
}

const subjectText = `
select subject_id as id, of_top_up, status = 'unknown' as is_unknown from billing.processor_attempt
where kind = 'charge' and processor = $1 and object_id = $2`;

/** The subject of a charge: an invoice or a top-up. */
export interface ChargeSubject {
  readonly kind: 'invoice' | 'top_up';
  readonly id: string;
}

/**
 * The invoice or the top-up that this charge of the processor was for. Undefined if the charge is not ours. Throws while
 * we do not know yet that the charge succeeded: nothing of it is booked then.
 */
export async function findSubjectOfCharge(db: Queryable, charge: ChargeAt): Promise<ChargeSubject | undefined> {
  const values = [charge.processor, charge.objectId];
  const [row] = await db.query<{ id: string; of_top_up: boolean; is_unknown: boolean }>(subjectText, values);
  if (row?.is_unknown) throw new Error(`the outcome of charge ${charge.objectId} is not known yet`);
  return row && { kind: row.of_top_up ? 'top_up' : 'invoice', id: row.id };
}

const strayText = `
select attempt_id from billing.processor_attempt a
where kind = 'charge' and processor = $1 and object_id = $2 and ${isStray}`;

/** The attempt of this charge if the charge is a stray; null if it is none. The invoice must be locked. */
export async function findStrayCharge(tx: Transaction, { processor, objectId }: ChargeAt): Promise<string | null> {
  const [row] = await tx.query<{ attempt_id: string }>(strayText, [processor, objectId]);
  return row?.attempt_id ?? null;
}
