import type { Subscription } from '../event-log.ts';
import { RecordsGone } from '../records-gone.ts';
import { createPartitionLeases } from './partition-leases.ts';
import type { PostgresSubscribeOptions } from './subscribe-options.ts';
import { createWakeUp } from './wake-up.ts';
import { createEndsReader } from './read-ends.ts';
import { readPartition } from './read-partition.ts';
import { createTail, type Tail } from './tail.ts';

/**
 * States of a partition here: free (another member has it, or nobody) → leased (our lease connection holds its advisory
 * lock) → read, batch after batch. It is free again when we stop or lose the lease connection. A lost connection frees
 * the lock at once for others while a handler of ours may still run. The reader's cursor fences off that overlap: it
 * costs a refused flush, never a wrong count.
 */
export async function subscribeToPostgres(options: PostgresSubscribeOptions): Promise<Subscription> {
  const { topic, group, database, clock, notifications, announcements, log } = options;
  const partitions = await options.partitionsOf(topic);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // a caller may subscribe to it later
  const wakeUp = createWakeUp();
  const ends = createEndsReader({ database, topic, clock, wakeUp });
  notifications.on('event_log', (payload) => {
    if (payload === '' || payload === topic) wakeUp.ring();
  });
  const tails = new Map<number, Tail>();
  const stopListening = announcements.onAppended(topic, (runs) => {
    for (const run of runs) tails.get(run.partition)?.offer(run);
    wakeUp.ring();
  });

  const leases = createPartitionLeases({
    url: options.url,
    name: `${topic}/${group}`,
    partitions,
    log,
    async whileLeased(partition, signal) {
      const tail = createTail();
      tails.set(partition, tail);
      try {
        await readPartition({ ...options, partition, wakeUp, ends, tail }, signal);
      } catch (error) {
        if (!(error instanceof RecordsGone)) throw error;
        log.fatal(
          { err: error, topic, partition },
          'stopped reading: records are gone, and reading on would skip them',
        );
        failure.reject(error);
      } finally {
        tails.delete(partition);
      }
    },
  });
  await leases.start();

  return {
    failed: failure.promise,
    async stop() {
      stopListening();
      const stopped = leases.stop();
      wakeUp.ring();
      await stopped;
    },
  };
}
