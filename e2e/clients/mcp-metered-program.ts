import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioServerTransportV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport as StdioServerTransportV2 } from '@modelcontextprotocol/server/stdio';
import { meterServer, type MeterableServer } from '@tollgate/mcp';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';

/**
 * A metered server whose author gave no key: over stdio, as either generation of the MCP SDK opens it, or at an address,
 * which it prints.
 */
const [kind = '', tool = ''] = process.argv.slice(2);
const name = { name: 'weather', version: '1' };
const report = async () => ({ content: [{ type: 'text' as const, text: '12 degrees' }] });

const tollgate = new Tollgate();
const meter = await Meter.open({ tollgate, durability: 'memory', closeOnExit: true });
const calls = createCalls({ tollgate, meter, requirePass: true });

function metered<
  Server extends MeterableServer & { registerTool(tool: string, config: object, run: typeof report): unknown },
>(server: Server): Server {
  server.registerTool('weather', {}, report);
  return meterServer(server, { tollgate, calls, tool });
}

if (kind === 'first') await metered(new McpServerV1(name)).connect(new StdioServerTransportV1());
if (kind === 'second') await metered(new McpServerV2(name)).connect(new StdioServerTransportV2());
if (kind === 'serveStdio') serveStdio(() => metered(new McpServerV2(name)));
if (kind === 'http') {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await metered(new McpServerV1(name)).connect(transport as never); // exactOptionalPropertyTypes: its own types differ
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  process.stdout.write(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`);
}
