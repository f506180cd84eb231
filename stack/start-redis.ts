import { startRedisProcess } from '@tollgate/testkit/redis/start-redis-process';
import type { Running } from './keep-running.ts';
import { logFileOf } from './log-file-of.ts';

/** Starts Redis. Its data may be lost. */
export async function startRedis(port: number, logFolder: string, attempt: number): Promise<Running> {
  const logFile = logFileOf(logFolder, 'redis', attempt);
  const { pid, exited, destroy } = await startRedisProcess({ port, folder: logFolder, logFile });
  return { pid, logFile, exited, stop: destroy };
}
