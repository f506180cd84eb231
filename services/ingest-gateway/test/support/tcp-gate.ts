import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpGate {
  /** The same database, through the gate. */
  through(url: string): string;
  /** Cuts what is open and refuses what comes. */
  cut(): void;
  /** Connections stay and open, and nothing passes. */
  stall(): void;
  open(): void;
  close(): Promise<void>;
}

/** A way to a real PostgreSQL that can be cut or clogged. */
export async function openTcpGate(url: string): Promise<TcpGate> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'stalled' | 'cut' = 'open';
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (chunk: Buffer) => to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    if (state === 'stalled') far.pause();
    else near.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const eachSocket = (act: (socket: Socket) => void): void => [...pairs].flat().forEach(act);

  return {
    through(way) {
      const changed = new URL(way);
      changed.hostname = '127.0.0.1';
      changed.port = String(address.port);
      return changed.href;
    },
    cut() {
      state = 'cut';
      eachSocket((socket) => socket.destroy());
    },
    stall() {
      state = 'stalled';
      eachSocket((socket) => socket.pause());
    },
    open() {
      state = 'open';
      eachSocket((socket) => socket.resume());
    },
    async close() {
      eachSocket((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
