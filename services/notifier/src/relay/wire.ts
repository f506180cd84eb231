import { notificationsTopic } from '@tollgate/contracts/webhooks/notification-record';
import type { Database } from '@tollgate/database/database';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { kafkaConnectionOf } from '@tollgate/event-log/kafka/kafka-connection';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Config } from '../config.ts';
import { createRelayEvents } from './relay-events.ts';

interface Deps {
  readonly worker: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

const appendDeadlineMs = 5_000;

/**
 * The relay to Kafka, if the settings want one. It does not wait for Kafka at the start, so that a Kafka that is away holds up
 * no webhook.
 */
export function wireRelay(config: Config, { worker, clock, log }: Deps) {
  if (config.RELAY_TO === 'none') return { isRelayed: false, announce: () => undefined, parts: [] };
  const kafka = createKafkaEventLog({
    connection: kafkaConnectionOf(config),
    topics: {},
    cursorsUrl: config.DATABASE_WORKER_URL,
    appendDeadlineMs,
    clock,
    log,
  });
  const relay = createRelayEvents({ worker, appender: kafka, topic: notificationsTopic, log });
  const connection = { name: 'relay-to-kafka', start: async () => undefined, stop: kafka.stop };
  return { isRelayed: true, announce: relay.announce, parts: [connection, relay] };
}
