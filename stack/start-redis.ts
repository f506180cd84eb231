import { join } from 'node:path';
import { startChildService } from '@tollgate/testkit/child-service';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';

interface Redis {
  readonly url: string;
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

const startWithinMs = 10_000;

/** Redis on a free port. It keeps nothing: what it holds may be forgotten. */
export async function startRedis(logFolder: string): Promise<Redis> {
  const [port = 0] = await findFreePorts(1);
  const settings = { bind: '127.0.0.1', port, save: '', appendonly: 'no', dir: logFolder };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const logFile = join(logFolder, 'redis.log');
  const { pid, exited, line, destroy } = startChildService({ command: 'redis-server', args, logFile });
  try {
    await line(/Ready to accept connections/, { withinMs: startWithinMs });
  } catch (error) {
    await destroy();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, pid, logFile, exited, stop: destroy };
}
