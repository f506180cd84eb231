import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Earned } from './earned.ts';
import { fromDbCharged, type DbCharged } from './sql-db-charged.ts';

const text = `
select case when is_refund then 'refund' when is_adjustment then 'adjustment' else 'usage' end as earned_by,
  period, tool_id, price_id, charge_index, min(name) as name, sum(charge_micros) as charge_micros,
  sum(earning_micros) as earning_micros, sum(fee_micros) as fee_micros
from billing.settled_line where builder_id = $1 and payout_id is not distinct from $2
group by 1, period, tool_id, price_id, charge_index
order by period, tool_id, price_id, charge_index, 1 desc`;

/** What was released to a builder and taken back of it: what one payout took, or with null what none has taken yet. */
export async function readSettled(tx: Transaction, builderId: string, payoutId: string | null): Promise<Earned[]> {
  const rows = await tx.query<DbEarned>({ name: 'read-settled', text }, [builderId, payoutId]);
  return rows.map((row) => ({
    ...fromDbCharged(row),
    earningMicros: micros(BigInt(row.earning_micros)),
    feeMicros: micros(BigInt(row.fee_micros)),
  }));
}

interface DbEarned extends DbCharged {
  readonly earning_micros: string;
  readonly fee_micros: string;
}
