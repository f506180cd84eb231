import type { Queryable, Transaction } from '@tollgate/database/database';

/** Says whether the charge `a` is a stray: its invoice needed no payment when it succeeded. */
const isStray = `exists (
  select from billing.ledger_transaction t where t.business_key = 'stray-charge:' || a.attempt_id)`;

interface ChargeAt {
  readonly processor: string;
  readonly objectId: string;
}

const ofSubjectText = `
select object_id from billing.processor_attempt a
where kind = 'charge' and subject_id = $1 and status = 'succeeded' and not ${isStray}`;

/** The processor's id of the charge that paid this invoice or top-up. Undefined if no charge paid it. */
export async function findChargeOf(db: Queryable, subjectId: string): Promise<string | undefined> {
  const [row] = await db.query<{ object_id: string }>(ofSubjectText, [subjectId]);
  return row?.object_id;
}

const subjectText = `
select subject_id as id, of_top_up, status = 'unknown' as is_unknown from billing.processor_attempt
where kind = 'charge' and processor = $1 and object_id = $2`;

/** What a charge was for. */
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
