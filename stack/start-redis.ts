import { join } from 'node:path';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { startRedisProcess } from '@tollgate/testkit/redis/start-redis-process';

interface Redis {
  readonly url: string;
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

/** Redis on a free port. */
export async function startRedis(logFolder: string): Promise<Redis> {
  const [port = 0] = await findFreePorts(1);
  const logFile = join(logFolder, 'redis.log');
  const { pid, exited, destroy } = await startRedisProcess({ port, folder: logFolder, logFile });
  return { url: `redis://127.0.0.1:${port}`, pid, logFile, exited, stop: destroy };
}
