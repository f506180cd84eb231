import { onlyRow, type Queryable } from '@tollgate/database/database';

/** Epoch ms; 0 before anything was counted. */
export async function readWatermark(db: Queryable): Promise<number> {
  const text = `select coalesce(extract(epoch from max(counted_through)) * 1000, 0)::float8 as ms
    from usage.watermark_v1 where isfinite(counted_through)`;
  return Math.floor(onlyRow(await db.query<{ ms: number }>({ name: 'gateway_watermark', text })).ms);
}
