import type { Queryable } from '@tollgate/database/database';

/** Says whether the charge `a` is a stray: its invoice needed no payment when it succeeded. */
export const isStray = `exists (
  select from billing.ledger_transaction t where t.business_key = 'stray-charge:' || a.attempt_id)`;

const text = `
select attempt_id, object_id, fee_cents from billing.processor_attempt a
where kind = 'charge' and subject_id = $1 and status = 'succeeded' and not ${isStray} order by settled_at, number`;

export interface PayingCharge {
  readonly attemptId: string;
  /** The processor's. */
  readonly objectId: string;
  readonly feeCents: bigint;
}

/** The charges that have paid this invoice, in their order, with the processor's fees. */
export async function listPayingCharges(db: Queryable, invoiceId: string): Promise<PayingCharge[]> {
  const statement = { name: 'billing.list_paying_charges', text };
  const rows = await db.query<{ attempt_id: string; object_id: string; fee_cents: string }>(statement, [invoiceId]);
  return rows.map((row) => ({ attemptId: row.attempt_id, objectId: row.object_id, feeCents: BigInt(row.fee_cents) }));
}
