import type { Service } from '@tollgate/runtime/lifecycle/service';
import { createClient } from './create-client.ts';
import { goOn } from './go-on.ts';
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
}

const channel = 'tollgate:revoked-keys';
/** So that a connection whose other end is gone without a word is noticed. */
const pingEveryMs = 1_000;

export function createRedisRevocations({ url, link }: RevocationsDeps): Revocations {
  const subscriber = createClient(url); // one that listens can ask nothing else
  const listeners: ((keyHash: string) => void)[] = [];
  let stopPinging = (): void => undefined;
  subscriber.on('error', ignore); // of Redis being away the link tells
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(ignore));
  subscriber.on('message', (_channel, keyHash) => {
    for (const listener of listeners) listener(keyHash);
  });

  return {
    name: 'revocations',
    async start() {
      await subscriber.connect().catch(ignore);
      stopPinging = goOn(() => subscriber.ping().then(ignore, ignore), pingEveryMs);
    },
    async stop() {
      stopPinging();
      subscriber.disconnect();
    },
    tell(keyHash) {
      if (link.isUp()) void link.ask((redis) => redis.publish(channel, keyHash));
    },
    onTold: (listener) => void listeners.push(listener),
  };
}

function ignore(): void {
  // nobody may have to wait for Redis, and nobody learns anything from this
}
