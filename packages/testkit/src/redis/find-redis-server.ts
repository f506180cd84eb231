import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Throws if this machine has no redis-server. */
export async function findRedisServer(): Promise<void> {
  await promisify(execFile)('redis-server', ['--version']).catch((error: unknown) => {
    throw new Error('Redis: there is no redis-server in the PATH', { cause: error });
  });
}
