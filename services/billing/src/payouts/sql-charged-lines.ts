import { micros } from '@tollgate/kernel/money';
import type { Charged, EarnedBy, Earned } from './earned.ts';
import type { Transaction } from '@tollgate/database/database';
import { fromDbChargeSum, type DbChargeSum } from '../usage/sql-unbilled.ts';

interface DbCharged extends DbChargeSum {
  readonly earned_by: EarnedBy;
}

function fromDbCharged(row: DbCharged): Charged {
  return { by: row.earned_by, ...fromDbChargeSum(row) };
}

const uncollectedText = `
select case when is_adjustment then 'adjustment' else 'usage' end as earned_by, period, tool_id, price_id, charge_index,
  min(name) as name, sum(charge_micros) as charge_micros
from billing.uncollected_line where builder_id = $1
group by is_adjustment, period, tool_id, price_id, charge_index
order by period, tool_id, price_id, charge_index, is_adjustment`;

/** Reads the charges of invoices for this builder's tools that are neither collected nor written off, by charge. */
export async function readUncollected(tx: Transaction, builderId: string): Promise<Charged[]> {
  return (await tx.query<DbCharged>({ name: 'billing.read_uncollected', text: uncollectedText }, [builderId])).map(
    fromDbCharged,
  );
}

const settledText = `
select case when is_refund then 'refund' when is_adjustment then 'adjustment' else 'usage' end as earned_by,
  period, tool_id, price_id, charge_index, min(name) as name, sum(charge_micros) as charge_micros,
  sum(earning_micros) as earning_micros, sum(fee_micros) as fee_micros
from billing.settled_line where builder_id = $1 and payout_id is not distinct from $2
group by 1, period, tool_id, price_id, charge_index
order by period, tool_id, price_id, charge_index, 1 desc`;

/**
 * Reads a builder's released and refunded lines, by charge: those that this payout took, or with null those that no
 * payout has taken.
 */
export async function readSettled(tx: Transaction, builderId: string, payoutId: string | null): Promise<Earned[]> {
  const rows = await tx.query<DbEarned>({ name: 'billing.read_settled', text: settledText }, [builderId, payoutId]);
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
