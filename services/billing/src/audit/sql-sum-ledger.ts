import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Queryable } from '@tollgate/database/database';
import type { LedgerAccountKind } from '../ledger/ledger-posting.ts';

const balancesText = `
select kind, sum(balance_micros)::text as micros from billing.ledger_account group by kind`;

/** Sums the balances of each kind of ledger account: a debit above zero, a credit below. */
export async function sumBalances(db: Queryable): Promise<ReadonlyMap<LedgerAccountKind, Micros>> {
  const statement = { name: 'billing.sum_balances', text: balancesText };
  const rows = await db.query<{ kind: LedgerAccountKind; micros: string }>(statement);
  return new Map(rows.map((row) => [row.kind, micros(BigInt(row.micros))]));
}

export type RevenueKind = 'platform_fees' | 'processor_fees' | 'rounding';

export interface RevenueEntry {
  /** The month of the postings. */
  readonly period: string;
  readonly kind: RevenueKind;
  /** A debit above zero, a credit below. */
  readonly amountMicros: Micros;
}

/** Half-open. Null: without a bound. */
export interface RevenueWindow {
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

const revenueText = `
select to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM') as period, a.kind, sum(e.amount_micros)::text as micros
from billing.ledger_account a join billing.ledger_entry e using (ledger_account_id)
join billing.ledger_transaction t using (transaction_id)
where a.owner_id is null and a.kind in ('platform_fees', 'processor_fees', 'rounding')
  and t.occurred_at >= coalesce($1::timestamptz, '-infinity') and t.occurred_at < coalesce($2::timestamptz, 'infinity')
group by 1, 2 order by 1 desc, 2`;

/** Sums the entries of the platform's own accounts by month, the newest first. */
export async function sumRevenue(db: Queryable, { sinceMs, untilMs }: RevenueWindow): Promise<RevenueEntry[]> {
  const values = [sinceMs === null ? null : toIso(sinceMs), untilMs === null ? null : toIso(untilMs)];
  const statement = { name: 'billing.sum_revenue', text: revenueText };
  const rows = await db.query<{ period: string; kind: RevenueKind; micros: string }>(statement, values);
  return rows.map((row) => ({ period: row.period, kind: row.kind, amountMicros: micros(BigInt(row.micros)) }));
}
