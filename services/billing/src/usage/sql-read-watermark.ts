import type { Queryable } from '@tollgate/database/database';

const text = `select counted_through from usage.watermark_v1`;

/**
 * For sums, read it before them, in the same transaction: they only grow, so what was counted through then is in them.
 * Before the first record was ever counted there is no watermark: the epoch, through which nothing was counted.
 */
export async function readWatermark(db: Queryable): Promise<number> {
  const rows = await db.query<{ counted_through: Date }>({ name: 'read-watermark', text });
  return rows[0]?.counted_through.getTime() ?? 0;
}
