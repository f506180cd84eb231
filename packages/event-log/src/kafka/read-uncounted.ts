import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/database/database';
import type { EventLogReader, UncountedReading } from '../event-log.ts';
import { readCursors } from './sql-cursor.ts';

interface Deps {
  readonly database: Queryable;
  readonly reader: EventLogReader;
  /** Deletes what Kafka keeps for the group. */
  readonly forgetGroup: (group: string) => Promise<void>;
}

/** Hands out every record between the aggregator's cursors and the log's end, as each was when it was read. */
export async function readUncounted(
  { database, reader, forgetGroup }: Deps,
  topic: string,
  { onRecord, enough }: UncountedReading,
): Promise<void> {
  const rows = await readCursors(database, topic);
  const cursors = new Map(rows.map(({ partition, nextOffset }) => [partition, nextOffset]));
  const unfinished = new Set(Array.from({ length: await reader.partitionsOf(topic) }, (_, partition) => partition));
  const finished = Promise.withResolvers<void>();
  enough?.addEventListener('abort', () => finished.resolve());
  if (enough?.aborted) return;
  const group = `uncounted-${randomUUID()}`;
  const subscription = await reader.subscribe({
    topic,
    group,
    nextOffset: async (partition) => cursors.get(partition) ?? 0n,
    lastRecord: async (partition) => rows.find((row) => row.partition === partition)?.lastRecord,
    async onBatch(batch) {
      for (const record of batch.records) {
        if (enough?.aborted) return;
        onRecord(record);
      }
      cursors.set(batch.partition, batch.nextOffset);
    },
    async onCaughtUp(partition) {
      unfinished.delete(partition);
      if (unfinished.size === 0) finished.resolve();
    },
  });
  try {
    subscription.failed.catch(finished.reject);
    await finished.promise;
  } finally {
    await subscription.stop();
    await forgetGroup(group).catch(() => undefined); // Kafka deletes it by itself after a week
  }
}
