import type { Queryable } from '@tollgate/database/database';

const text = `
select object_id from billing.processor_attempt a
where kind = 'charge' and subject_id = $1 and status = 'succeeded' and not exists (
  select from billing.ledger_transaction t where t.business_key = 'stray-charge:' || a.attempt_id)
order by settled_at, number`;

/** The processor's ids of the charges that have paid this invoice, in their order. */
export async function listChargeIds(worker: Queryable, invoiceId: string): Promise<string[]> {
  const statement = { name: 'billing.list_charge_ids', text };
  return (await worker.query<{ object_id: string }>(statement, [invoiceId])).map((row) => row.object_id);
}
