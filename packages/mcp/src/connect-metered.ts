import { meterTransport, type MeterableTransport, type MeteringPorts } from './meter-transport.ts';

interface Connectable {
  connect(transport: MeterableTransport): Promise<void>;
}

/** A `McpServer`, or the low-level `Server`, of either generation of the MCP SDK. */
export interface MeterableServer {
  // Each generation types its transport in its own way.
  // oxlint-disable-next-line typescript/no-explicit-any
  connect(transport: any): Promise<void>;
}

/** Meters each connection that `server` makes from now on. `McpServer` connects through its `server`, so that is wrapped. */
export function connectMetered<T extends MeterableServer>(server: T, ports: MeteringPorts): T {
  const low: Connectable = 'server' in server ? (server.server as Connectable) : server; // McpServer of both generations
  const connect = low.connect.bind(low);
  low.connect = (transport) => connect(meterTransport(transport, ports));
  return server;
}
