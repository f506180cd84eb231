import type { Kafka } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { EventAppender } from '../event-log.ts';
import { createAppendLane, type AppendLane } from './append-lane.ts';
import { createRenewable } from './renewable.ts';

interface Deps {
  readonly kafka: Kafka;
  readonly partitionsOf: (topic: string) => Promise<number>;
  readonly deadlineMs: number;
  readonly log: Logger;
}

export interface KafkaAppender extends EventAppender {
  /** Waits for appends that are on their way, at most for their deadline. */
  close(): Promise<void>;
}

/** A lane and a producer per topic. It appends to the partitions that the topic had at its first append. */
export function createKafkaAppender({ kafka, partitionsOf, deadlineMs, log }: Deps): KafkaAppender {
  const lanes = new Map<string, Promise<AppendLane & { close(): Promise<void> }>>();

  return {
    async append(topic, records) {
      if (records.length === 0) return [];
      return (await laneOf(topic)).append(records);
    },
    async close() {
      await Promise.allSettled([...lanes.values()].map(async (lane) => (await lane).close()));
    },
  };

  function laneOf(topic: string): ReturnType<typeof openLane> {
    const known = lanes.get(topic);
    if (known !== undefined) return known;
    const lane = openLane(topic);
    lanes.set(topic, lane);
    lane.catch(() => lanes.delete(topic));
    return lane;
  }

  async function openLane(topic: string): Promise<AppendLane & { close(): Promise<void> }> {
    const partitions = await partitionsOf(topic);
    const producer = createRenewable(() =>
      kafka.producer({
        idempotent: false,
        allowAutoTopicCreation: false,
        createPartitioner:
          () =>
          ({ message }) =>
            message.partition ?? 0, // the lane has chosen
        retry: { retries: 0 },
      }),
    );
    const lane = createAppendLane({ topic, partitions, producer, deadlineMs, log });
    return {
      ...lane,
      async close() {
        await lane.idle();
        await producer.close();
      },
    };
  }
}
