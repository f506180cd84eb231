import type { Queryable, Transaction } from '@tollgate/database/database';
import { isStray } from '../processor/sql-attempts.ts';

/** Says whether the charge `a` paid a part of its invoice, before the charge that paid the rest. */
const isPart = `exists (
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
