import { tmpdir } from 'node:os';
import { startChildService, type ChildService } from '../child-service.ts';
import { startContainer } from '../containers/start-container.ts';
import { findFreePorts } from '../find-free-ports.ts';
import { startServerProcess } from '../servers/start-server-process.ts';
import type { TestServer } from '../servers/test-server.ts';
import { findRedisPlace, redisImage } from './find-redis-place.ts';

/** It keeps nothing on disk: after `kill`, all that it held is gone. */
export interface RedisServer extends Omit<TestServer, 'destroy'> {
  readonly url: string;
  /** Lets go of it for good. */
  stop(): Promise<void>;
}

const startPatienceMs = 10_000;
const readyLine = 'Ready to accept connections';

/** A Redis of one's own on a port of its own. `stop` it afterwards. */
export async function startRedis(): Promise<RedisServer> {
  const place = await findRedisPlace();
  const [port = 0] = await findFreePorts(1);
  const command = (bind: string, dir: string) => {
    const settings = { bind, port, save: '', appendonly: 'no', dir };
    return ['redis-server', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])];
  };
  if (place.kind === 'docker') {
    const plan = { image: redisImage(), command: command('0.0.0.0', '/data'), ports: [port], readyLine };
    return redisAt(place.host, await startContainer(plan));
  }
  return redisAt('127.0.0.1', await startServerProcess(() => startProcess(command('127.0.0.1', tmpdir()))));

  function redisAt(host: string, { destroy: stop, ...server }: TestServer): RedisServer {
    return { ...server, url: `redis://${host}:${port}`, stop };
  }
}

async function startProcess([command = '', ...args]: readonly string[]): Promise<ChildService> {
  const server = startChildService({ command, args });
  await server.line(new RegExp(readyLine), { withinMs: startPatienceMs });
  return server;
}
