import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { balancePaidText } from '../invoicing/invoice.ts';

export type InvoiceAge = 'not_due' | '1_30_days' | '31_60_days' | 'over_60_days';

export interface AgingBucket {
  readonly age: InvoiceAge;
  readonly invoices: number;
  readonly owedCents: bigint;
}

const text = `
with owed as (
  select total_cents - part_paid_cents - ${balancePaidText} as owed_cents, case when due_at > $1 then 'not_due' when due_at > $1::timestamptz - interval '30 days' then '1_30_days'
    when due_at > $1::timestamptz - interval '60 days' then '31_60_days' else 'over_60_days' end as age
  from billing.invoice where status in ('open', 'past_due')
)
select age, count(owed_cents)::int as invoices, coalesce(sum(owed_cents), 0)::text as cents
from unnest(array['not_due', '1_30_days', '31_60_days', 'over_60_days']) with ordinality as each (age, place)
left join owed using (age) group by age, place order by place`;

/** Sums the invoices that are open or past due by their age, the youngest first. */
export async function sumByAge(db: Queryable, nowMs: number): Promise<AgingBucket[]> {
  const rows = await db.query<{ age: InvoiceAge; invoices: number; cents: string }>(
    { name: 'billing.sum_by_age', text },
    [toIso(nowMs)],
  );
  return rows.map(({ age, invoices, cents }) => ({ age, invoices, owedCents: BigInt(cents) }));
}
