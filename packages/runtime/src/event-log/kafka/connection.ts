import { createRequire } from 'node:module';
import { systemClock } from '@tollgate/kernel/clock';
import { Kafka, logLevel, type KafkaConfig, type LogEntry, type RetryOptions } from 'kafkajs';
import type { Logger } from '../../logging/create-logger.ts';

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
  stopIdleTimer();
  const { brokers, tls, credentials } = connection;
  const config: KafkaConfig = {
    clientId: 'tollgate',
    brokers: [...brokers],
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

/** What is an error for the library is weather for us: it is tried again, and told as one where it is given up. */
function tell(log: Logger, { namespace, log: { message, ...facts } }: LogEntry): void {
  log.debug({ namespace, facts }, message);
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

/** Full paths of kafkajs resolve, since it declares no exports. The version is pinned to the one that this was read in. */
const requestQueuePath = 'kafkajs/src/network/requestQueue';
let isTimerStopped = false;

/**
 * kafkajs 2.2.4 has each idle connection set a timer of a negative time, which fires after a millisecond and sets the
 * next: two thousand a second, 3 % of a core, and a warning. With nothing pending there is nothing to check.
 */
function stopIdleTimer(): void {
  if (isTimerStopped) return;
  isTimerStopped = true;
  const { prototype } = createRequire(import.meta.url)(requestQueuePath) as { prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  if (typeof schedule !== 'function') throw new Error(`${requestQueuePath} is not that of kafkajs 2.2.4`);
  prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > systemClock.now()) schedule.call(this);
  };
}
