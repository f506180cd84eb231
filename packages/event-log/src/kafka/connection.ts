import { Kafka, logLevel, type KafkaConfig, type LogEntry, type RetryOptions } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { mendKafkajs } from './mend-kafkajs.ts';

export interface KafkaConnection {
  /** `host:port` of some brokers; the others are found through them. */
  readonly brokers: readonly string[];
  /** Certificates are checked against those that Node trusts. */
  readonly tls?: boolean;
  /** SASL SCRAM-SHA-512. */
  readonly credentials?: { readonly username: string; readonly password: string };
}

interface ClientOptions {
  readonly connection: KafkaConnection;
  readonly log: Logger;
  readonly retry: RetryOptions;
  readonly requestTimeoutMs: number;
}

const connectionTimeoutMs = 2_000;

export function createKafkaClient({ connection, log, retry, requestTimeoutMs }: ClientOptions): Kafka {
  mendKafkajs();
  const { brokers, tls, credentials } = connection;
  const config: KafkaConfig = {
    clientId: 'tollgate',
    brokers: () => startingAnywhere(brokers),
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => tell(log, entry),
  };
  if (tls) config.ssl = true;
  if (credentials) config.sasl = { mechanism: 'scram-sha-512', ...credentials };
  return new Kafka(config);
}

/**
 * A new client of kafkajs asks the first of the list who leads. Were that always the same, a broker that the others have
 * lost would tell all of them what it believed last, and nothing could be appended for as long.
 */
function startingAnywhere(brokers: readonly string[]): string[] {
  const at = Math.floor(Math.random() * brokers.length);
  return [...brokers.slice(at), ...brokers.slice(0, at)];
}

/** What is an error for the library is weather for us: it is tried again, and told as one where it is given up. */
function tell(log: Logger, { namespace, log: { message, ...facts } }: LogEntry): void {
  log.debug({ namespace, facts }, message);
}
