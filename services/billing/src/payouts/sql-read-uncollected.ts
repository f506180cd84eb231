import type { Transaction } from '@tollgate/database/database';
import type { Charged } from './earned.ts';
import { fromDbCharged, type DbCharged } from './sql-db-charged.ts';

const text = `
select case when is_adjustment then 'adjustment' else 'usage' end as earned_by, period, tool_id, price_id, charge_index,
  min(name) as name, sum(charge_micros) as charge_micros
from billing.uncollected_line where builder_id = $1
group by is_adjustment, period, tool_id, price_id, charge_index
order by period, tool_id, price_id, charge_index, is_adjustment`;

/** Of closed periods: what invoices bill for this builder's tools that is not collected, and not written off. */
export async function readUncollected(tx: Transaction, builderId: string): Promise<Charged[]> {
  return (await tx.query<DbCharged>({ name: 'read-uncollected', text }, [builderId])).map(fromDbCharged);
}
