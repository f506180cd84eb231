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

/** Connects when it is told to, then again and again. */
export function createClient(url: string): ScriptedRedis {
  const options = {
    scripts: { judge: { lua: judgeScript }, saveReplies: { lua: saveRepliesScript } },
    lazyConnect: true,
    // What cannot be sent now fails now: a request that waits for a connection has been answered long since.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false, // of its own it would leave a subscription that fails to nobody, which ends the process
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    socketTimeout: 2_000, // a connection whose other end is gone without a word is made anew
    disconnectTimeout: 200, // else a stop while Redis is away keeps the process for 2 s
    retryStrategy: () => reconnectEveryMs,
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'), // the address has a new master by now
  } satisfies RedisOptions;
  return new Redis(url, options) as ScriptedRedis; // the library defines a method for each of the scripts
}
