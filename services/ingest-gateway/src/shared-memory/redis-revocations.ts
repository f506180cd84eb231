import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Redis } from 'ioredis';
import { createClient } from './create-client.ts';
import type { RedisLink } from './redis-link.ts';

/**
 * News of revoked API keys, from each gateway to all others. A gateway that has lost PostgreSQL hears of a revocation this
 * way. The news is a hint, and Redis does not store it; PostgreSQL decides.
 */
export interface Revocations extends Service {
  /** Publishes the SHA-256 of a key, in base64: at once, or when Redis is back. */
  publish(keyHash: string): void;
  onRevoked(listener: (keyHash: string) => void): void;
}

export interface RevocationsDeps {
  readonly url: string;
  readonly link: RedisLink;
  readonly log: Logger;
}

const channel = 'tollgate:revoked-keys';
/** A ping notices a connection whose other end has gone silently. */
const pingEveryMs = 1_000;
/** The bound of the hashes that wait for Redis. The other gateways learn of further ones from PostgreSQL alone. */
const unpublishedMax = 10_000;

export function createRedisRevocations({ url, link, log }: RevocationsDeps): Revocations {
  const subscriber = createClient(url); // a connection that subscribes can send no other commands
  const listeners: ((keyHash: string) => void)[] = [];
  const unpublished = new Set<string>();
  const ping = () => subscriber.ping().then(ignore, ignore);
  const pinging = every({ name: 'revocations-ping', everyMs: pingEveryMs, log, run: ping });
  subscriber.on('error', ignore); // the link logs that Redis is away
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(warnIfDenied));
  subscriber.on('message', (_channel, keyHash) => {
    for (const listener of listeners) listener(keyHash);
  });

  link.onBack(() => void publishAll());

  async function publishAll(): Promise<void> {
    for (const keyHash of unpublished) {
      if ((await link.ask((redis) => publishHash(redis, keyHash))) === undefined) return; // away: again when it is back
      unpublished.delete(keyHash);
    }
  }

  /** A Redis that denies us the command is not away. */
  async function publishHash(redis: Redis, keyHash: string): Promise<number> {
    return redis.publish(channel, keyHash).catch((error: unknown) => {
      if (!warnIfDenied(error)) throw error;
      return 0;
    });
  }

  function warnIfDenied(error: unknown): boolean {
    const isDenied = error instanceof Error && error.name === 'ReplyError';
    if (isDenied)
      log.warn({ reason: error.message, channel }, 'Redis does not let this gateway publish or hear revoked keys');
    return isDenied;
  }

  return {
    name: 'revocations',
    async start() {
      await subscriber.connect().catch(ignore);
      await pinging.start();
    },
    async stop() {
      const pinged = pinging.stop();
      subscriber.disconnect(); // ends the ping that is under way
      await pinged;
    },
    publish(keyHash) {
      if (unpublished.size < unpublishedMax) unpublished.add(keyHash);
      if (link.isUp()) void publishAll();
    },
    onRevoked: (listener) => void listeners.push(listener),
  };
}

function ignore(): void {
  // Requests must not wait for Redis, and the link reports its state.
}
