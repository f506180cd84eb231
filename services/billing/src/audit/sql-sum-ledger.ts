import { micros, type Micros } from '@tollgate/kernel/money';
import { type Queryable, onlyRow, type Transaction } from '@tollgate/database/database';
import type { LedgerAccountKind } from '../ledger/ledger-posting.ts';

const balancesText = `
select kind, sum(balance_micros)::text as micros from billing.ledger_account group by kind`;

const balancesThroughText = `
select a.kind, sum(e.amount_micros)::text as micros
from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
join billing.ledger_account a using (ledger_account_id)
where t.period <= $1 group by 1`;

/**
 * Sums the balances of each kind of ledger account: a debit above zero, a credit below. `through` leaves out the postings of
 * later months.
 */
export async function sumBalances(
  db: Queryable,
  through: string | undefined,
): Promise<ReadonlyMap<LedgerAccountKind, Micros>> {
  const [text, values] = through === undefined ? [balancesText, []] : [balancesThroughText, [through]];
  const rows = await db.query<{ kind: LedgerAccountKind; micros: string }>(text, values);
  return new Map(rows.map((row) => [row.kind, micros(BigInt(row.micros))]));
}

export type FeeSum =
  | 'collected'
  | 'platform_fees'
  | 'charge_fees'
  | 'dispute_fees'
  | 'refund_fees'
  | 'borne_by_builders';

export interface FeeEntry {
  readonly period: string;
  readonly of: FeeSum;
  /** A debit above zero, a credit below. */
  readonly amountMicros: Micros;
}

const feesText = `
select t.period, case when a.kind in ('cash', 'part_paid') then 'collected' when a.kind = 'platform_fees' then 'platform_fees'
    else case split_part(t.business_key, ':', 1) when 'fee-share' then 'borne_by_builders' when 'dispute-fee' then 'dispute_fees'
      when 'refund-fee' then 'refund_fees'
      else 'charge_fees' end end as of, sum(e.amount_micros)::text as micros
from billing.ledger_account a join billing.ledger_entry e using (ledger_account_id)
join billing.ledger_transaction t using (transaction_id)
where t.business_key not like 'own-payout:%' and (a.kind in ('platform_fees', 'processor_fees') or a.kind in ('cash', 'part_paid') and t.business_key like 'paid:%')
  and ($1::text is null or t.period >= $1) and ($2::text is null or t.period <= $2)
group by 1, 2 order by 1 desc, 2`;

/** Sums collected money and both kinds of fees by month, the newest first; not the fee on a payout of the platform itself. */
export async function sumFees(db: Queryable, { from, to }: RevenueWindow): Promise<FeeEntry[]> {
  const statement = { name: 'billing.sum_fees', text: feesText };
  const rows = await db.query<{ period: string; of: FeeSum; micros: string }>(statement, [from ?? null, to ?? null]);
  return rows.map(({ period, of, micros: amount }) => ({ period, of, amountMicros: micros(BigInt(amount)) }));
}

export type RevenueKind = 'platform_fees' | 'processor_fees' | 'promotions' | 'rounding';

export interface RevenueEntry {
  /** The accounting period of the postings. */
  readonly period: string;
  readonly kind: RevenueKind;
  /** A debit above zero, a credit below. */
  readonly amountMicros: Micros;
}

/** The first and the last month. Undefined: without a bound. */
export interface RevenueWindow {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const revenueText = `
select t.period, a.kind, sum(e.amount_micros)::text as micros
from billing.ledger_account a join billing.ledger_entry e using (ledger_account_id)
join billing.ledger_transaction t using (transaction_id)
where a.owner_id is null and a.kind in ('platform_fees', 'processor_fees', 'promotions', 'rounding')
  and ($1::text is null or t.period >= $1) and ($2::text is null or t.period <= $2)
group by 1, 2 order by 1 desc, 2`;

/** Sums the entries of the platform's own accounts by month, the newest first. */
export async function sumRevenue(db: Queryable, { from, to }: RevenueWindow): Promise<RevenueEntry[]> {
  const statement = { name: 'billing.sum_revenue', text: revenueText };
  const rows = await db.query<{ period: string; kind: RevenueKind; micros: string }>(statement, [
    from ?? null,
    to ?? null,
  ]);
  return rows.map((row) => ({ period: row.period, kind: row.kind, amountMicros: micros(BigInt(row.micros)) }));
}

export interface LedgerCounts {
  readonly transactions: number;
  readonly entries: number;
  readonly invoices: number;
  readonly lines: number;
  readonly closedPeriods: number;
}

const text = `
select (select count(*)::int from billing.ledger_transaction) as transactions,
  (select count(*)::int from billing.ledger_entry) as entries,
  (select count(*)::int from billing.invoice) as invoices,
  (select count(*)::int from billing.invoice_line) as lines,
  (select count(*)::int from billing.closed_period) as "closedPeriods"`;

export async function countLedger(tx: Transaction): Promise<LedgerCounts> {
  return onlyRow(await tx.query<LedgerCounts>(text));
}

const readLastLedgerCheckText = 'select differences from billing.ledger_check';

/** How many checks did not hold in the last nightly check of the ledger. Null before the first one has ended. */
export async function readLastLedgerCheck(db: Queryable): Promise<number | null> {
  const rows = await db.query<{ differences: number | null }>({
    name: 'billing.read_last_ledger_check',
    text: readLastLedgerCheckText,
  });
  return rows[0]?.differences ?? null;
}

export interface PayoutMonth {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
}

const listPayoutMonthsText = `
select payout_id as id, builder_id as "builderId", period from billing.payout where payout_id > $1 order by payout_id limit $2`;

/** Lists the next payouts in the order of their ids. */
export async function listPayoutMonths(db: Queryable, afterId: string, limit: number): Promise<PayoutMonth[]> {
  return db.query<PayoutMonth & object>(listPayoutMonthsText, [afterId, limit]);
}

export interface FeesTaken {
  readonly builderId: string;
  readonly grossKey: string;
  readonly grossMicros: Micros;
  readonly feeMicros: Micros;
}

const readFeesTakenText = `
with moved as (
  select builder_id, gross_key, charge_micros, fee_micros from billing.released_line
  union all
  select builder_id, gross_key, -charge_micros, -fee_micros from billing.refunded_line
)
select builder_id, gross_key, sum(charge_micros)::text as gross, sum(fee_micros)::text as fee
from moved group by 1, 2 order by 1, 2`;

/** Reads, by builder and key of its gross, the released less the refunded charges and the fees on them. */
export async function readFeesTaken(db: Queryable): Promise<FeesTaken[]> {
  const rows = await db.query<{ builder_id: string; gross_key: string; gross: string; fee: string }>(readFeesTakenText);
  return rows.map((row) => ({
    builderId: row.builder_id,
    grossKey: row.gross_key,
    grossMicros: micros(BigInt(row.gross)),
    feeMicros: micros(BigInt(row.fee)),
  }));
}

/**
 * Steps from id to id as `invoicing/sql-list-consumers-after.ts` does. It also finds consumers that were billed but
 * have no usage any more.
 */
const listConsumersText = `
with recursive consumer (consumer_id) as (
  select $1::uuid
  union all
  select least(
    (select r.consumer_id from usage.rollup_v1 r where r.consumer_id > c.consumer_id order by r.consumer_id limit 1),
    (select i.consumer_id from billing.invoice i where i.consumer_id > c.consumer_id order by i.consumer_id limit 1)
  )
  from consumer c where c.consumer_id is not null
)
select consumer_id from (select consumer_id from consumer where consumer_id <> $1 limit $2) c order by consumer_id`;

/** Lists the next accounts with usage or invoices, ordered by id. */
export async function listConsumers(tx: Transaction, afterId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ consumer_id: string }>(listConsumersText, [afterId, limit]);
  return rows.map((row) => row.consumer_id);
}
