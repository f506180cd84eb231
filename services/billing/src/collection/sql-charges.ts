import type { Queryable, Transaction } from '@tollgate/database/database';

/** Says whether the charge `a` is a stray: its invoice needed no payment when it succeeded. */
const isStray = `exists (
  select from billing.ledger_transaction t where t.business_key = 'stray-charge:' || a.attempt_id)`;

interface ChargeAt {
  readonly processor: string;
  readonly objectId: string;
}

const ofInvoiceText = `
select object_id from billing.processor_attempt a
where kind = 'charge' and subject_id = $1 and status = 'succeeded' and not ${isStray}`;

/** The processor's id of the charge that paid this invoice. Undefined if no charge paid it. */
export async function findChargeOfInvoice(db: Queryable, invoiceId: string): Promise<string | undefined> {
  const [row] = await db.query<{ object_id: string }>(ofInvoiceText, [invoiceId]);
  return row?.object_id;
}

const invoiceText = `
select subject_id as invoice_id, status = 'unknown' as is_unknown from billing.processor_attempt
where kind = 'charge' and processor = $1 and object_id = $2`;

/**
 * The invoice that this charge of the processor was for. Undefined if the charge is not ours. Throws while we do not
 * know yet that the charge succeeded: its lines are not released then.
 */
export async function findInvoiceOfCharge(db: Queryable, charge: ChargeAt): Promise<string | undefined> {
  const values = [charge.processor, charge.objectId];
  const [row] = await db.query<{ invoice_id: string; is_unknown: boolean }>(invoiceText, values);
  if (row?.is_unknown) throw new Error(`the outcome of charge ${charge.objectId} is not known yet`);
  return row?.invoice_id;
}

const strayText = `
select attempt_id from billing.processor_attempt a
where kind = 'charge' and processor = $1 and object_id = $2 and ${isStray}`;

/** The attempt of this charge if the charge is a stray; null if it is none. The invoice must be locked. */
export async function findStrayCharge(tx: Transaction, { processor, objectId }: ChargeAt): Promise<string | null> {
  const [row] = await tx.query<{ attempt_id: string }>(strayText, [processor, objectId]);
  return row?.attempt_id ?? null;
}
