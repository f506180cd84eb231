import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';

export type Script = (redis: Redis, keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** Runs by its hash; with its text where the server does not know it, as after a restart. */
export function createScript(text: string): Script {
  const scriptHash = hash('sha1', text);
  return async function runScript(redis, keys, args) {
    const all = [keys.length, ...keys, ...args] as const;
    return redis.evalsha(scriptHash, ...all).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(text, ...all);
    });
  };
}
