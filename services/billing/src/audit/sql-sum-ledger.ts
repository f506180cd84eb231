import { micros, type Micros } from '@tollgate/kernel/money';
import type { Queryable } from '@tollgate/database/database';
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
