import { startChildService, type ChildService } from '../child-service.ts';

export interface RedisProcessOptions {
  readonly port: number;
  /** Its working folder; Redis writes nothing there. */
  readonly folder: string;
  readonly logFile?: string;
}

const startPatienceMs = 10_000;
export const readyLine = 'Ready to accept connections';

/** The command of a Redis that writes nothing to disk: its data may be lost. */
export function redisCommand({ bind, port, folder }: { bind: string; port: number; folder: string }): string[] {
  const settings = { bind, port, save: '', appendonly: 'no', dir: folder };
  return ['redis-server', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])];
}

/** Starts Redis on 127.0.0.1. Resolves when it accepts connections. */
export async function startRedisProcess({ port, folder, logFile }: RedisProcessOptions): Promise<ChildService> {
  const [command = '', ...args] = redisCommand({ bind: '127.0.0.1', port, folder });
  const server = startChildService({ command, args, logFile });
  try {
    await server.line(new RegExp(readyLine), { withinMs: startPatienceMs });
  } catch (error) {
    await server.destroy();
    throw error;
  }
  return server;
}
