import { type Queryable, onlyRow, type Transaction } from '@tollgate/database/database';

const readText = `select counted_through from usage.watermark_v1`;

/**
 * Reads the watermark: all usage received before it is counted. Read it before sums, in the same transaction. Sums only
 * grow, so everything up to the watermark is in them. Until the first record is counted it is 0, the epoch.
 */
export async function readWatermark(db: Queryable): Promise<number> {
  const rows = await db.query<{ counted_through: Date }>({ name: 'billing.read_watermark', text: readText });
  return rows[0]?.counted_through.getTime() ?? 0;
}

/** Appends send the same notice; it only says where to look. */
const hurryText = `select pg_notify('event_log', '')`;

/**
 * Tells the aggregator to count now, then reads the watermark. After a move of the clock nobody has to wait for the
 * aggregator's next round.
 */
export async function hurryCounting(db: Queryable): Promise<number> {
  await db.query(hurryText);
  return readWatermark(db);
}

const text = `select max(period) as period from billing.closed_period`;

/** Null before the first close. */
export async function readLastClosedPeriod(tx: Transaction): Promise<string | null> {
  return onlyRow(await tx.query<{ period: string | null }>({ name: 'billing.read_last_closed_period', text })).period;
}
