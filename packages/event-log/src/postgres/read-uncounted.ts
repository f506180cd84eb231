import type { Database } from '@tollgate/database/database';
import type { UncountedReading } from '../event-log.ts';
import { readBatches } from './read-batches.ts';

interface Row {
  readonly partition: number;
  readonly next_offset: bigint;
}

const selectCursors = `select p.partition, coalesce(c.next_offset, 0) as next_offset
  from event_log.partition p left join usage.cursor c using (topic, partition)
  where p.topic = $1 order by p.partition`;

/** Hands out every record between the aggregator's cursors and the log's end, as each was when it was read. */
export async function readUncounted(
  database: Database,
  topic: string,
  { onRecord, enough }: UncountedReading,
): Promise<void> {
  for (const { partition, next_offset } of await database.query<Row>(selectCursors, [topic])) {
    let nextOffset = next_offset;
    while (!enough?.aborted) {
      const { records } = await readBatches(database, { topic, partition, nextOffset });
      const last = records.at(-1);
      if (last === undefined) break;
      records.forEach(onRecord);
      nextOffset = last.offset + 1n;
    }
  }
}
