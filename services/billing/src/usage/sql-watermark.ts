import type { Queryable } from '@tollgate/database/database';

const readText = `select counted_through from usage.watermark_v1`;

/**
 * How far everything is counted. For sums, read it before them, in the same transaction: they only grow, so what was
 * counted through then is in them. Before the first record was counted it is the epoch.
 */
export async function readWatermark(db: Queryable): Promise<number> {
  const rows = await db.query<{ counted_through: Date }>({ name: 'billing.read_watermark', text: readText });
  return rows[0]?.counted_through.getTime() ?? 0;
}

/** An append rings with the same notice; it says only where to look. */
const hurryText = `select pg_notify('event_log', '')`;

/** As `readWatermark`, and asks the aggregator to look now: after a move of the clock nobody waits for its next round. */
export async function hurryCounting(db: Queryable): Promise<number> {
  await db.query(hurryText);
  return readWatermark(db);
}
