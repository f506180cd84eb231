import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from '../listen-locally.ts';

/** The network between the nodes of one cluster. It can separate a node from the others. */
export interface NodeSwitch {
  /** Returns a port that leads to `targetPort` of the node. */
  open(node: number, targetPort: number): Promise<number>;
  /** Stops everything between this node and the others; their connections stay open. */
  isolate(node: number): void;
  /** Ends the isolation. Held bytes arrive. */
  join(): void;
  close(): Promise<void>;
}

interface Wire {
  readonly from: number;
  readonly to: number;
  readonly near: Socket;
  readonly far: Socket;
}

/**
 * Nodes name themselves in the header of their first request, behind its length, key, version and id: as `1`,
 * `raft-client-1` or `broker-1-fetcher-0`.
 */
const nameLengthAt = 4 + 2 + 2 + 4;
/** The number of a client that connects by the switch. */
const nobody = 0;

export function createNodeSwitch(): NodeSwitch {
  const wires = new Set<Wire>();
  const servers: ReturnType<typeof createServer>[] = [];
  let isolated: number | undefined;

  const isCut = ({ from, to }: Pick<Wire, 'from' | 'to'>): boolean =>
    from !== to && (from === isolated || to === isolated);

  function settle(wire: Wire): void {
    const { near, far } = wire;
    near.unpipe(far).pause();
    far.unpipe(near).pause();
    if (near.destroyed || far.destroyed) drop(wire);
    else if (!isCut(wire)) near.pipe(far).pipe(near);
  }

  function drop(wire: Wire): void {
    if (isCut(wire)) return;
    wire.near.destroy();
    wire.far.destroy();
    wires.delete(wire);
  }

  function accept(near: Socket, to: number, targetPort: number): void {
    near.on('error', () => undefined); // 'close' follows
    near.once('data', (first: Buffer) => {
      near.pause();
      near.unshift(first);
      const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
      far.on('error', () => undefined);
      const wire = { from: nodeIn(first), to, near, far };
      wires.add(wire);
      near.once('close', () => drop(wire));
      far.once('close', () => drop(wire));
      settle(wire);
    });
  }

  return {
    async open(node, targetPort) {
      const server = createServer({ noDelay: true }, (near) => accept(near, node, targetPort));
      servers.push(server);
      return listenLocally(server);
    },
    isolate(node) {
      isolated = node;
      wires.forEach(settle);
    },
    join() {
      isolated = undefined;
      wires.forEach(settle);
    },
    async close() {
      isolated = undefined;
      wires.forEach(drop);
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function nodeIn(request: Buffer): number {
  const length = request.readInt16BE(nameLengthAt);
  const name = request.toString('utf8', nameLengthAt + 2, nameLengthAt + 2 + length);
  return Number(/\d+/.exec(name)?.[0] ?? nobody);
}
