import { Kafka, logLevel, type KafkaConfig, type LogEntry, type RetryOptions, type SASLOptions } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { mendKafkajs } from './mend-kafkajs.ts';

export interface KafkaConnection {
  /** `host:port` of some brokers, which name the others. */
  readonly brokers: readonly string[];
  /** An empty object: brokers' certificates are checked against those that Node trusts, and we show none. */
  readonly tls?: KafkaTls;
  readonly signIn?: KafkaSignIn;
}

/** Texts in PEM. */
export interface KafkaTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export type KafkaSignIn =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly readToken: () => Promise<string> };

interface ClientOptions {
  readonly connection: KafkaConnection;
  readonly log: Logger;
  readonly retry: RetryOptions;
  readonly requestTimeoutMs: number;
  /** The name by which brokers know this client. */
  readonly clientId?: string;
}

const connectionTimeoutMs = 2_000;

export function createKafkaClient(options: ClientOptions): Kafka {
  mendKafkajs();
  const { connection, log, retry, requestTimeoutMs, clientId = 'tollgate' } = options;
  const { brokers, tls, signIn } = connection;
  const config: KafkaConfig = {
    clientId,
    brokers: () => startingAnywhere(brokers),
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => logEntry(log, entry),
  };
  if (tls !== undefined) config.ssl = { ...tls };
  if (signIn !== undefined) config.sasl = saslOf(signIn);
  return new Kafka(config);
}

function saslOf(signIn: KafkaSignIn): SASLOptions {
  if (signIn.mechanism !== 'oauthbearer') return { ...signIn };
  return { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: await signIn.readToken() }) };
}

/**
 * A new client of kafkajs asks the first broker of the list which brokers lead. If all clients asked the same broker and
 * the others had lost it, its outdated answer would stop all appends until it is back.
 */
function startingAnywhere(brokers: readonly string[]): string[] {
  const at = Math.floor(Math.random() * brokers.length);
  return [...brokers.slice(at), ...brokers.slice(0, at)];
}

/** kafkajs logs an error for each attempt. We try again, and log an error where we give up. */
function logEntry(log: Logger, { namespace, log: { message, ...facts } }: LogEntry): void {
  log.debug({ namespace, facts }, message);
}
