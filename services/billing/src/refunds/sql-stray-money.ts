import type { Queryable } from '@tollgate/database/database';
import type { StrayMoney } from './refund.ts';

// Parted by the posting, so that stray money is exactly what the ledger calls so. A stray charge that was reversed as a
// whole has gone back by itself.
const strayText = `
with stray as (
  select a.attempt_id, 'charge' as kind, a.subject_id as invoice_id, a.object_id as charge, a.processor, a.amount_cents, t.occurred_at
  from billing.ledger_transaction t join billing.processor_attempt a on t.business_key = 'stray-charge:' || a.attempt_id
  where t.business_key like 'stray-charge:%' and not exists (
    select from billing.ledger_transaction b where b.business_key = 'stray-charge-returned:' || a.attempt_id)
  union all
  select a.attempt_id, 'returned_refund', r.invoice_id, a.party_id, a.processor, a.amount_cents, t.occurred_at
  from billing.ledger_transaction t
  join billing.processor_attempt a on a.kind = 'refund' and t.business_key = 'returned-refund:' || a.subject_id || ':' || a.number
  join billing.refund r on r.refund_id = a.subject_id
  where t.business_key like 'returned-refund:%'
)
select s.*, i.consumer_id, s.amount_cents - (select coalesce(sum(r.amount_cents), 0) from billing.refund r
  where r.stray_attempt_id = s.attempt_id and r.status <> 'failed') as left_cents
from stray s join billing.invoice i using (invoice_id)
where $1::uuid is null or s.attempt_id = $1
order by s.occurred_at, s.attempt_id`;

interface DbStray {
  readonly attempt_id: string;
  readonly kind: StrayMoney['kind'];
  readonly invoice_id: string;
  readonly consumer_id: string;
  readonly charge: string;
  readonly processor: string;
  readonly amount_cents: string;
  readonly left_cents: string;
  readonly occurred_at: Date;
}

/** Lists all stray money, the oldest first; with an id, that of one order. */
export async function listStrayMoney(db: Queryable, attemptId?: string): Promise<StrayMoney[]> {
  const rows = await db.query<DbStray>(strayText, [attemptId ?? null]);
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    kind: row.kind,
    invoiceId: row.invoice_id,
    consumerId: row.consumer_id,
    chargeObjectId: row.charge,
    processor: row.processor,
    amountCents: BigInt(row.amount_cents),
    leftCents: BigInt(row.left_cents),
    sinceMs: row.occurred_at.getTime(),
  }));
}
