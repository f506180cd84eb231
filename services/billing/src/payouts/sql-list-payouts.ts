import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { Micros } from '@tollgate/kernel/money';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import type { Payout, PayoutStatus } from './payout.ts';
import { fromDbPayout, payoutColumns, type DbPayout } from './sql-payouts.ts';

export interface AllPayoutsQuery extends PageQuery {
  readonly builderId?: string | undefined;
  readonly status?: PayoutStatus | undefined;
  readonly period?: string | undefined;
  /** Only failed payouts whose first failure is not after this time. */
  readonly failingSinceMs?: number | undefined;
}

// Without a name, so that each call is planned for the filters that it has.
const filter = `($1::uuid is null or builder_id = $1) and ($2::text is null or status = $2)
  and ($3::timestamptz is null or (status = 'failed' and coalesce(failing_since, created_at) <= $3))
  and ($4::text is null or period = $4)`;

const pageText = `
select ${payoutColumns} from billing.payout
where ${filter} and ($5::timestamptz is null or (created_at, payout_id) < ($5, $6::uuid))
order by created_at desc, payout_id desc limit $7`;

const totalText = `select count(*)::int as total from billing.payout where ${filter}`;

/** Lists stored payouts of all builders, newest first by (created_at, id). Only the worker role may read them. */
export async function listAllPayouts(db: Queryable, query: AllPayoutsQuery): Promise<ListPage<Payout>> {
  const { builderId = null, status = null, period = null, failingSinceMs, after, limit } = query;
  const wanted = [builderId, status, failingSinceMs === undefined ? null : toIso(failingSinceMs), period];
  const page = [...wanted, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await db.query<DbPayout>(pageText, page);
  const { total } = onlyRow(await db.query<{ total: number }>(totalText, wanted));
  return { rows: rows.map(fromDbPayout), total };
}

/** The payouts of a suspended builder wait on purpose. */
const notSuspended = `
  and not exists (select from auth.account_suspension_v1 s where s.account_id = p.builder_id and s.resumed_at is null)`;

const failingText = `
select count(*)::int as payouts from billing.payout p
where status = 'failed' and coalesce(failing_since, created_at) <= $1 and exists (
  select from billing.ledger_account l
  where l.kind = 'builder_payable' and l.owner_id = p.builder_id and l.balance_micros <= -$2::numeric)${notSuspended}`;

export interface FailingQuery {
  /** Only payouts that have been failing since before this time. */
  readonly sinceMs: number;
  /** Only payouts of builders to whom so much is payable. */
  readonly minimumMicros: Micros;
}

/** Counts payouts that keep failing, of builders who are owed money. */
export async function countFailingPayouts(db: Queryable, { sinceMs, minimumMicros }: FailingQuery): Promise<number> {
  const values = [toIso(sinceMs), String(minimumMicros)];
  const statement = { name: 'billing.count_failing_payouts', text: failingText };
  return onlyRow(await db.query<{ payouts: number }>(statement, values)).payouts;
}

// A scheduled payout always has a due time, so the index of due times finds it.
const unfundedText = `
select count(*)::int as payouts, coalesce(sum(p.net_cents), 0)::text as cents
from billing.payout p cross join lateral (
  select status, failure_code from billing.processor_attempt
  where kind = 'transfer' and subject_id = p.payout_id order by number desc limit 1) last
where p.status = 'scheduled' and p.due_at is not null
  and last.status = 'failed' and last.failure_code = 'insufficient_funds_of_platform'${notSuspended}`;

export interface UnfundedPayouts {
  readonly payouts: number;
  readonly cents: bigint;
}

/** Sums the payouts whose last transfer was refused because our balance at the processor was too small. */
export async function sumUnfundedPayouts(db: Queryable): Promise<UnfundedPayouts> {
  const statement = { name: 'billing.sum_unfunded_payouts', text: unfundedText };
  const { payouts, cents } = onlyRow(await db.query<{ payouts: number; cents: string }>(statement));
  return { payouts, cents: BigInt(cents) };
}
