import { Redis, type RedisOptions } from 'ioredis';
import { judgeScript } from './judge-script.ts';
import { saveRepliesScript } from './save-replies-script.ts';

type RunScript<Answer> = (keyCount: number, ...keysAndArguments: readonly (string | number)[]) => Promise<Answer>;

/** Redis, with our scripts as commands. The client sends a script's text where the server does not know its hash. */
export interface ScriptedRedis extends Redis {
  readonly judge: RunScript<unknown[]>;
  readonly saveReplies: RunScript<number>;
}

const reconnectEveryMs = 250;

/** Connects when `connect` is called, and after that again and again. */
export function createClient(url: string): ScriptedRedis {
  const options = {
    scripts: { judge: { lua: judgeScript }, saveReplies: { lua: saveRepliesScript } },
    lazyConnect: true,
    // A command fails at once without a connection: its request would have been answered long before.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false, // ioredis handles no failure of its own resubscription, which would end the process
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    socketTimeout: 2_000, // replaces a connection whose other end has gone silently
    disconnectTimeout: 200, // otherwise a stop while Redis is away takes 2 s
    retryStrategy: () => reconnectEveryMs,
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'), // the address leads to a new master by now
  } satisfies RedisOptions;
  return new Redis(url, options) as ScriptedRedis; // the library defines a method for each of the scripts
}
