import { micros } from '@tollgate/kernel/money';
import type { Charged, EarnedBy, Earned } from './earned.ts';
import type { Transaction } from '@tollgate/database/database';
import type { PeriodCharge } from '../fees/fee-splits.ts';
import { fetchAllInBatches } from '../usage/sql-fetch-in-batches.ts';
import { isSettledIn, toSettledValues, type SettledIn } from './settled-in.ts';
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
  return fetchAllInBatches(tx, { text: uncollectedText, values: [builderId], fromRow: fromDbCharged });
}

const uncollectedSumsText = `
select period, b.gross_micros - coalesce(s.gross_micros, 0) as charge_micros
from billing.billed_gross b left join billing.settled_gross s using (builder_id, period)
where builder_id = $1 and b.gross_micros <> coalesce(s.gross_micros, 0)
order by period`;

/**
 * The same charges by period, without periods whose sum is 0. They are what was billed less what was settled, both kept as
 * sums: the cost does not grow with the lines of all months.
 */
export async function sumUncollected(tx: Transaction, builderId: string): Promise<PeriodCharge[]> {
  const rows = await tx.query<Pick<DbCharged, 'period' | 'charge_micros'>>(
    { name: 'billing.sum_uncollected', text: uncollectedSumsText },
    [builderId],
  );
  return rows.map((row) => ({ period: row.period, chargeMicros: micros(BigInt(row.charge_micros)) }));
}

const settledText = `
select case when is_refund then 'refund' when is_adjustment then 'adjustment' else 'usage' end as earned_by,
  period, tool_id, price_id, charge_index, min(name) as name, sum(charge_micros) as charge_micros,
  sum(earning_micros) as earning_micros, sum(fee_micros) as fee_micros
from billing.settled_line where builder_id = $1 and ${isSettledIn}
group by 1, period, tool_id, price_id, charge_index
order by period, tool_id, price_id, charge_index, 1 desc`;

/** Reads a builder's released and refunded lines, by charge: those that this payout took, or will take. */
export async function readSettled(tx: Transaction, builderId: string, by: SettledIn): Promise<Earned[]> {
  return fetchAllInBatches(tx, {
    text: settledText,
    values: [builderId, ...toSettledValues(by)],
    fromRow: fromDbEarned,
  });
}

interface DbEarned extends DbCharged {
  readonly earning_micros: string;
  readonly fee_micros: string;
}

function fromDbEarned(row: DbEarned): Earned {
  return {
    ...fromDbCharged(row),
    earningMicros: micros(BigInt(row.earning_micros)),
    feeMicros: micros(BigInt(row.fee_micros)),
  };
}
