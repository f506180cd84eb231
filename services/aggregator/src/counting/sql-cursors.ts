import { onlyRow, type Queryable } from '@tollgate/database/database';

/** A partition without a cursor would hold the watermark back for ever, so each gets one before it is read. */
export async function insertMissingCursors(db: Queryable, topic: string, partitions: number): Promise<void> {
  await db.query(
    `insert into usage.log_topic values ($1, $2)
     on conflict (topic) do update set partitions = greatest(log_topic.partitions, excluded.partitions)`,
    [topic, partitions],
  );
  await db.query(
    'insert into usage.cursor (topic, partition) select $1, p from generate_series(0, $2::int - 1) p on conflict do nothing',
    [topic, partitions],
  );
}

export async function selectCursor(db: Queryable, topic: string, partition: number): Promise<bigint> {
  const rows = await db.query<{ next_offset: bigint }>(
    'select next_offset from usage.cursor where topic = $1 and partition = $2',
    [topic, partition],
  );
  return onlyRow(rows).next_offset;
}
