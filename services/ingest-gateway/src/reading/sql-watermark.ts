import { onlyRow, type Queryable } from '@tollgate/database/database';

const readText = `select coalesce(extract(epoch from max(counted_through)) * 1000, 0)::float8 as ms
  from usage.watermark_v1 where isfinite(counted_through)`;

/** Epoch ms: every event received before is counted. 0 before the first count. */
export async function readWatermark(db: Queryable): Promise<number> {
  const rows = await db.query<{ ms: number }>({ name: 'usage.read_watermark', text: readText });
  return Math.floor(onlyRow(rows).ms);
}
