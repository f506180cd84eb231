import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { systemClock } from '@tollgate/kernel/clock';
import { meterServer } from '@tollgate/mcp';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { defineRow, type Row, type Side } from '../row.ts';

const name = { name: 'echo', version: '1.0.0' };
const callsAtOnce = 200;
const turns = 25;
const warmUpCalls = 5_000;
const nobody = new Tollgate({ apiKey: 'none', url: 'http://127.0.0.1:9' });

/**
 * What metering adds to a call of an MCP server, in one process, one call after the other. The events stay in memory:
 * C2 tells what their way to the disk costs. Nobody takes the events meanwhile.
 */
export const meteredCallRow: Row = defineRow({
  id: 'C4',
  ours: 'µs of an MCP call that metering adds to it, durability memory, one call after the other, metered and not in turn',
  ceiling: undefined,
  unit: 'µs',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'figure', bound: { atMost: 100 } },
  isComparable: false,
  openOurs,
});

async function openOurs(): Promise<Side> {
  const options = { durability: 'memory', maxBytes: 8 * 1024 ** 3, onWarning: () => undefined } as const;
  const meter = await Meter.open({ tollgate: nobody, ...options });
  const calls = createCalls({ tollgate: nobody, meter });
  const plain = await connect((server) => server);
  const metered = await connect((server) => meterServer(server, { tollgate: nobody, calls, tool: 'echo' }));
  for (const client of [plain, metered]) await callMany(client, warmUpCalls);
  return {
    processes: [{ name: 'bench (calls)', pid: process.pid }],
    async measure() {
      let [plainMs, meteredMs] = [0, 0];
      for (let turn = 0; turn < turns; turn += 1) {
        plainMs += await callMany(plain, callsAtOnce);
        meteredMs += await callMany(metered, callsAtOnce);
      }
      const events = turns * callsAtOnce;
      return { events, value: ((meteredMs - plainMs) * 1_000) / events };
    },
    async close() {
      await plain.close();
      await metered.close();
      await meter.close({ timeoutMs: 0 });
    },
  };
}

async function connect(meter: (server: McpServer) => McpServer): Promise<Client> {
  const server = new McpServer(name);
  server.registerTool('echo', {}, async () => ({ content: [{ type: 'text', text: 'echo' }] }));
  const client = new Client(name);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await meter(server).connect(far);
  await client.connect(near);
  return client;
}

async function callMany(client: Client, count: number): Promise<number> {
  const startedMs = systemClock.monotonicMs();
  for (let called = 0; called < count; called += 1) await client.callTool({ name: 'echo' });
  return systemClock.monotonicMs() - startedMs;
}
