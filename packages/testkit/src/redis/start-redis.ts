import { tmpdir } from 'node:os';
import { startContainer } from '../containers/start-container.ts';
import { findFreePorts } from '../find-free-ports.ts';
import { startServerProcess } from '../servers/start-server-process.ts';
import type { TestServer } from '../servers/test-server.ts';
import { findRedisPlace, redisImage } from './find-redis-place.ts';
import { readyLine, redisCommand, startRedisProcess } from './start-redis-process.ts';

/** Redis keeps nothing on disk: `kill` loses its data. */
export interface RedisServer extends Omit<TestServer, 'destroy'> {
  readonly url: string;
  /** Stops it for good. */
  stop(): Promise<void>;
}

/** Starts a Redis for one test on a free port. The test stops it. */
export async function startRedis(): Promise<RedisServer> {
  const place = await findRedisPlace();
  const [port = 0] = await findFreePorts(1);
  if (place.kind === 'docker') {
    const command = redisCommand({ bind: '0.0.0.0', port, folder: '/data' });
    return redisAt(place.host, await startContainer({ image: redisImage(), command, ports: [port], readyLine }));
  }
  return redisAt('127.0.0.1', await startServerProcess(() => startRedisProcess({ port, folder: tmpdir() })));

  function redisAt(host: string, { destroy: stop, ...server }: TestServer): RedisServer {
    return { ...server, url: `redis://${host}:${port}`, stop };
  }
}
