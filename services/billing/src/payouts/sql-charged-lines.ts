import { micros, type Micros } from '@tollgate/kernel/money';
import { type Transaction, onlyRow } from '@tollgate/database/database';
import type { Charged, EarnedBy, Earned } from './earned.ts';
import type { PeriodCharge } from '../fees/fee-splits.ts';
import { fetchAllInBatches } from '../usage/sql-fetch-in-batches.ts';
import { fromDbChargeSum, type DbChargeSum } from '../usage/sql-unbilled.ts';

/** The money that a payout took, or that a pending one will take: that of months after one, through another. */
type SettledIn = { readonly payoutId: string } | { readonly after: string; readonly through: string };

/** Says in SQL whether a row with `payout_id` and `period` is among it, by the values from $2 on. */
const isSettledIn = `payout_id is not distinct from $2 and ($2 is not null or (period > $3 and period <= $4))`;

function toSettledValues(settledIn: SettledIn): (string | null)[] {
  return 'payoutId' in settledIn ? [settledIn.payoutId, null, null] : [null, settledIn.after, settledIn.through];
}

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

/** The consumer and the month of a charge. */
export interface EarnedKey {
  readonly period: string;
  readonly consumerId: string;
  readonly priceId: string;
  readonly chargeIndex: number;
}

const listSettledKeysText = `
select distinct period, consumer_id, price_id, charge_index from billing.settled_line
where builder_id = $1 and ${isSettledIn} and not is_refund and not is_adjustment`;

/** Lists the charges for calls that a payout took, or will take. */
export async function listSettledKeys(tx: Transaction, builderId: string, by: SettledIn): Promise<EarnedKey[]> {
  return fetchAllInBatches(tx, {
    text: listSettledKeysText,
    values: [builderId, ...toSettledValues(by)],
    fromRow: fromDbKey,
  });
}

const listUncollectedKeysText = `
select distinct period, consumer_id, price_id, charge_index from billing.uncollected_line
where builder_id = $1 and not is_adjustment`;

/** Lists the charges for calls that are not collected. */
export async function listUncollectedKeys(tx: Transaction, builderId: string): Promise<EarnedKey[]> {
  return fetchAllInBatches(tx, { text: listUncollectedKeysText, values: [builderId], fromRow: fromDbKey });
}

interface DbKey {
  readonly period: string;
  readonly consumer_id: string;
  readonly price_id: string;
  readonly charge_index: number;
}

function fromDbKey(row: DbKey): EarnedKey {
  return {
    period: row.period,
    consumerId: row.consumer_id,
    priceId: row.price_id,
    chargeIndex: row.charge_index,
  };
}

const takenText = `
select coalesce(sum(amount_micros), 0)::text as micros from billing.processor_fee_share
where builder_id = $1 and payout_id = $2`;

const pendingText = `
select coalesce(-sum(earning_micros), 0)::text as micros from billing.own_unpaid_earning
where builder_id = $1 and is_fee_share and period > $2 and period <= $3`;

/** Sums a builder's shares in the processor's fees that lowered this payout, or will lower it. */
export async function sumFeeShares(tx: Transaction, builderId: string, by: SettledIn): Promise<Micros> {
  const [text, values] = 'payoutId' in by ? [takenText, [by.payoutId]] : [pendingText, [by.after, by.through]];
  return micros(BigInt(onlyRow(await tx.query<{ micros: string }>(text, [builderId, ...values])).micros));
}
