import { onlyRow, type Database } from '@tollgate/database/database';
import { partitionsByDefault, type WantedTopics } from '../wanted-topics.ts';

export interface Topics {
  create(): Promise<void>;
  partitionsOf(topic: string): Promise<number>;
}

/** Topics and their partition counts. A count never changes: keys would change partitions. */
export function createTopics(database: Database, wanted: WantedTopics): Topics {
  const known = new Map<string, number>();
  return {
    async create() {
      for (const [topic, partitions] of Object.entries(wanted)) {
        const existing = await createTopic(database, topic, partitions ?? partitionsByDefault.postgres);
        if (partitions !== undefined && existing !== partitions) {
          throw new Error(
            `The log's topic ${topic} has ${existing} partitions, but the settings say ${partitions}. Leave USAGE_EVENT_PARTITIONS out, or set USAGE_EVENT_PARTITIONS=${existing}.`,
          );
        }
        known.set(topic, existing);
      }
    },
    async partitionsOf(topic) {
      const partitions = known.get(topic) ?? (await findPartitions(database, topic));
      known.set(topic, partitions);
      return partitions;
    },
  };
}

async function createTopic(database: Database, topic: string, partitions: number): Promise<number> {
  const rows = await database.query<{ existing: number }>('select event_log.create_topic($1, $2) as existing', [
    topic,
    partitions,
  ]);
  return onlyRow(rows).existing;
}

async function findPartitions(database: Database, topic: string): Promise<number> {
  const rows = await database.query<{ partitions: number }>('select partitions from event_log.topic where topic = $1', [
    topic,
  ]);
  if (rows[0] === undefined)
    throw new Error(`The log has no topic ${topic}. The service that appends to it makes it at its start.`);
  return rows[0].partitions;
}
