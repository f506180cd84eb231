import { ConfigError } from '@tollgate/runtime/config/config-error';
import type { KafkaConnection } from './connection.ts';

/** See packages/runtime/src/config/kafka-settings.ts. */
export interface KafkaSettings {
  readonly KAFKA_BROKERS?: string | undefined;
  readonly KAFKA_REPLICATION_FACTOR: number;
  readonly KAFKA_TLS: boolean;
  readonly KAFKA_USERNAME?: string | undefined;
  readonly KAFKA_PASSWORD?: string | undefined;
}

/** Throws ConfigError without brokers, and if only the user name or only the password is set. */
export function kafkaConnectionOf(settings: KafkaSettings): KafkaConnection {
  const { KAFKA_BROKERS: brokers, KAFKA_TLS: tls, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
  if (brokers === undefined) throw new ConfigError([{ name: 'KAFKA_BROKERS', message: 'is required with Kafka' }]);
  if ((username === undefined) !== (password === undefined)) {
    throw new ConfigError([{ name: 'KAFKA_PASSWORD', message: 'and KAFKA_USERNAME must be set together' }]);
  }
  const credentials = username === undefined || password === undefined ? {} : { credentials: { username, password } };
  return { brokers: brokers.split(','), tls, ...credentials };
}
