import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';

import { startChildService, type ChildService } from '../child-service.ts';

export interface RedisServer {
  readonly url: string;
  /** As a power cut: all that it held is gone. */
  kill(): Promise<void>;
  /** After `kill`: at the same address, empty. */
  start(): Promise<void>;
  /** Connections stay and nothing is answered, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Lets go of it for good. */
  stop(): Promise<void>;
}

const startPatienceMs = 10_000;
/** A Redis of one's own, a process with a port of its own that keeps nothing on disk. `stop` it afterwards. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let server = await startServer(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => server.destroy(),
    async start() {
      server = await startServer(port);
    },
    freeze: () => server.signalGroup('SIGSTOP'),
    thaw: () => server.signalGroup('SIGCONT'),
    stop: () => server.destroy(),
  };
}

async function startServer(port: number): Promise<ChildService> {
  const settings = { bind: '127.0.0.1', port, save: '', appendonly: 'no', dir: tmpdir() };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = startChildService({ command: 'redis-server', args });
  await server.line(/Ready to accept connections/, { withinMs: startPatienceMs });
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
