import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
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
