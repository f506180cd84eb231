import type { Queryable } from '@tollgate/database/database';

const text = 'select differences::float8 as differences from usage.rollup_check';

/** How many rows differed in the last nightly check of the rollups. Null before the first one has ended. */
export async function readLastRollupCheck(db: Queryable): Promise<number | null> {
  const rows = await db.query<{ differences: number | null }>({ name: 'usage.read_last_rollup_check', text });
  return rows[0]?.differences ?? null;
}
