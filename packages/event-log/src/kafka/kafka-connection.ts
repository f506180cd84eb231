import { ConfigError } from '@tollgate/runtime/config/config-error';
import type { KafkaConnection } from './connection.ts';

/** As config/kafka-settings.ts reads them. */
export interface KafkaSettings {
  readonly KAFKA_BROKERS?: string | undefined;
  readonly KAFKA_REPLICATION_FACTOR: number;
  readonly KAFKA_TLS: boolean;
  readonly KAFKA_USERNAME?: string | undefined;
  readonly KAFKA_PASSWORD?: string | undefined;
}

/** Throws ConfigError when Kafka is wanted and the settings do not say where it is, or only half of who we are. */
export function kafkaConnectionOf(settings: KafkaSettings): KafkaConnection {
  const { KAFKA_BROKERS: brokers, KAFKA_TLS: tls, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
  if (brokers === undefined) throw new ConfigError([{ name: 'KAFKA_BROKERS', message: 'is required with Kafka' }]);
  if ((username === undefined) !== (password === undefined)) {
    throw new ConfigError([{ name: 'KAFKA_PASSWORD', message: 'and KAFKA_USERNAME come together' }]);
  }
  const credentials = username === undefined || password === undefined ? {} : { credentials: { username, password } };
  return { brokers: brokers.split(','), tls, ...credentials };
}
