import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Throws what this machine lacks to run a Redis, in words that help. */
export async function findRedisServer(): Promise<void> {
  await promisify(execFile)('redis-server', ['--version']).catch((error: unknown) => {
    throw new Error('Redis: there is no redis-server in the PATH', { cause: error });
  });
}
