import { onlyRow, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { Hold } from './hold.ts';
import { anew, fromHoldRow, holdColumns, type HoldRow } from './sql-hold.ts';

export interface OpenHoldsQuery {
  readonly askerId: string;
  readonly reference: string;
  readonly atMs: number;
  readonly limit: number;
  readonly after?: PagePosition;
}

// Both use the index on asker and reference.
const open = `from gate.hold where asker_id = $1 and reference = $2 and state = 'open' and expires_at > $3`;
const pageText = `select ${holdColumns} ${open} and ($4::timestamptz is null or (asked_at, hold_id) < ($4, $5::uuid))
  order by asked_at desc, hold_id desc limit $6`;
const totalText = `select count(*)::int as total ${open}`;

/** The open holds of an asker with this reference, newest first, with one row more than `limit` where there is another page. */
export async function listOpenHolds(
  db: Queryable,
  { askerId, reference, atMs, limit, after }: OpenHoldsQuery,
): Promise<{ readonly rows: Hold[]; readonly total: number }> {
  const of = [askerId, reference, toIso(atMs)];
  const page = [after === undefined ? null : toIso(after.createdAtMs), after?.id ?? null, limit + 1];
  const rows = await db.query<HoldRow>(anew('gate.list_open_holds', pageText), [...of, ...page]);
  const { total } = onlyRow(await db.query<{ total: number }>(anew('gate.count_open_holds', totalText), of));
  return { rows: rows.map(fromHoldRow), total };
}
