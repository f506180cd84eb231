import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { openKafkaLog, type KafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import type { Undo } from '../it-with.ts';
import { openShape, type Shape, type ShapeOptions } from './shape.ts';

export interface KafkaShapeOptions extends Omit<ShapeOptions, 'log'> {
  readonly partitions: number;
  /** Other than a plain one. The shape destroys it. */
  readonly kafka?: ShapeKafka;
}

export interface ShapeKafka {
  /** Where tests and oracles reach it, `host:port`. */
  readonly address: string;
  /** The value of KAFKA_BROKERS; `address` if not given. */
  readonly brokers?: string;
  /** 1 if not given. */
  readonly replicationFactor?: number;
  destroy(): Promise<void>;
}

/** The services on a Kafka of their own. */
export interface KafkaShape extends Shape {
  readonly log: KafkaLog;
}

const silent = createLogger({ name: 'test', level: 'silent' });

export async function openKafkaShape(options: KafkaShapeOptions, undo: Undo): Promise<KafkaShape> {
  const { partitions, ...others } = options;
  const kafka: ShapeKafka = options.kafka ?? (await startKafka());
  undo(() => kafka.destroy());
  const { address, brokers = address, replicationFactor = 1 } = kafka;
  const topics = { [usageEventsTopic]: { partitions, replicationFactor } };
  await mendTopics({ connection: { brokers: [address] }, topics, log: silent });
  const log = await openKafkaLog(address, usageEventsTopic);
  undo(() => log.close());
  const settings = {
    EVENT_LOG: 'kafka',
    KAFKA_BROKERS: brokers,
    KAFKA_REPLICATION_FACTOR: String(replicationFactor),
    USAGE_EVENT_PARTITIONS: String(partitions),
    ...options.settings,
  };
  return { ...(await openShape({ ...others, log, settings }, undo)), log };
}
