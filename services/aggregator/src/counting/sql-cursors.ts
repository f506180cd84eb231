import { onlyRow, type Queryable } from '@tollgate/database/database';

const putTopic = `insert into usage.log_topic values ($1, $2)
  on conflict (topic) do update set partitions = greatest(log_topic.partitions, excluded.partitions)`;

const putCursors = `insert into usage.cursor (topic, partition)
  select $1, p from generate_series(0, $2::int - 1) p on conflict do nothing`;

/**
 * Each partition gets its cursor before it is read: a partition without a cursor would hold the watermark back for
 * ever.
 */
export async function insertMissingCursors(db: Queryable, topic: string, partitions: number): Promise<void> {
  await db.query(putTopic, [topic, partitions]);
  await db.query(putCursors, [topic, partitions]);
}

const nextOffset = 'select next_offset from usage.cursor where topic = $1 and partition = $2';

export async function selectCursor(db: Queryable, topic: string, partition: number): Promise<bigint> {
  return onlyRow(await db.query<{ next_offset: bigint }>(nextOffset, [topic, partition])).next_offset;
}
