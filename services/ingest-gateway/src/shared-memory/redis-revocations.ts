import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Redis } from 'ioredis';
import { createClient } from './create-client.ts';
import type { RedisLink } from './redis-link.ts';

/**
 * Which API keys were revoked, told by each gateway to all: one that has lost PostgreSQL hears it from those that have
 * not. It is a hint, which Redis keeps for nobody; PostgreSQL's word is what counts.
 */
export interface Revocations extends Service {
  /** SHA-256 of the key in base64. */
  tell(keyHash: string): void;
  onTold(listener: (keyHash: string) => void): void;
}

export interface RevocationsDeps {
  readonly url: string;
  readonly link: RedisLink;
  readonly log: Logger;
}

const channel = 'tollgate:revoked-keys';
/** So that a connection whose other end is gone without a word is noticed. */
const pingEveryMs = 1_000;
/** Kept until Redis is back; of more than these the others learn from PostgreSQL alone. */
const untoldMax = 10_000;

export function createRedisRevocations({ url, link, log }: RevocationsDeps): Revocations {
  const subscriber = createClient(url); // one that listens can ask nothing else
  const listeners: ((keyHash: string) => void)[] = [];
  const untold = new Set<string>();
  const ping = () => subscriber.ping().then(ignore, ignore);
  const pinging = every({ name: 'revocations-ping', everyMs: pingEveryMs, log, run: ping });
  subscriber.on('error', ignore); // of Redis being away the link tells
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(tellIfDenied));
  subscriber.on('message', (_channel, keyHash) => {
    for (const listener of listeners) listener(keyHash);
  });

  link.onBack(() => void tellAll());

  async function tellAll(): Promise<void> {
    for (const keyHash of untold) {
      if ((await link.ask((redis) => publish(redis, keyHash))) === undefined) return; // away: when it is back
      untold.delete(keyHash);
    }
  }

  /** A Redis that denies us this is not away. */
  async function publish(redis: Redis, keyHash: string): Promise<number> {
    return redis.publish(channel, keyHash).catch((error: unknown) => {
      if (!tellIfDenied(error)) throw error;
      return 0;
    });
  }

  function tellIfDenied(error: unknown): boolean {
    const isDenied = error instanceof Error && error.name === 'ReplyError';
    if (isDenied)
      log.warn({ reason: error.message, channel }, 'Redis does not let us tell, or hear, which keys are revoked');
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
      subscriber.disconnect(); // ends the ping that is on its way
      await pinged;
    },
    tell(keyHash) {
      if (untold.size < untoldMax) untold.add(keyHash);
      if (link.isUp()) void tellAll();
    },
    onTold: (listener) => void listeners.push(listener),
  };
}

function ignore(): void {
  // nobody may have to wait for Redis, and nobody learns anything from this
}
