import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { PartitionWatermark } from './ports.ts';

/** Compares the cursor as a flush does: once a partition has moved on, here or at another reader, its note is stale. */
const text = `update usage.cursor c set counted_through = t.counted_through
  from unnest($2::int[], $3::bigint[], $4::timestamptz[]) as t (partition, next_offset, counted_through)
  where c.topic = $1 and c.partition = t.partition and c.next_offset = t.next_offset and c.counted_through < t.counted_through`;

export async function moveWatermarks(
  db: Queryable,
  topic: string,
  watermarks: readonly PartitionWatermark[],
): Promise<void> {
  await db.query({ name: 'usage.move_watermarks', text }, [
    topic,
    watermarks.map(({ partition }) => partition),
    watermarks.map(({ nextOffset }) => nextOffset),
    watermarks.map((watermark) => toIso(watermark.countedThrough)),
  ]);
}
