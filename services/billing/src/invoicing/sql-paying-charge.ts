import type { Queryable } from '@tollgate/database/database';

const text = `
select object_id from billing.processor_attempt
where kind = 'charge' and subject_id = $1 and status = 'succeeded' order by settled_at limit 1`;

/** The processor's id of the charge that paid this invoice. Undefined if no charge has succeeded. */
export async function findPayingCharge(worker: Queryable, invoiceId: string): Promise<string | undefined> {
  const statement = { name: 'billing.find_paying_charge', text };
  return (await worker.query<{ object_id: string }>(statement, [invoiceId]))[0]?.object_id;
}
