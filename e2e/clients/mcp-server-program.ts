import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioServerTransportV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport as StdioServerTransportV2 } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/**
 * A server that knows nothing of Tollgate, of either generation of the MCP SDK, over stdio; `modern` speaks MCP 2026-07-28, too; `http` serves the first one at
 * an address and prints it. Its tool tells which secrets of the proxy it sees, and over HTTP the headers that it got; to
 * "how often" it tells how often it has run. For Atlantis it fails.
 */
const [kind = ''] = process.argv.slice(2);
const name = { name: 'weather', version: '1' };
const input = { city: z.string() };
const secrets = Object.keys(process.env).filter((variable) => variable.startsWith('TOLLGATE_'));
let runs = 0;
function report(city: string, seen: readonly unknown[] = secrets) {
  runs += 1;
  if (city === 'Atlantis') throw new Error('no such city');
  const text = city === 'how often' ? `run ${runs}` : [city, ...seen].join(' ');
  return { content: [{ type: 'text' as const, text }] };
}

if (kind === 'first') {
  const server = new McpServerV1(name);
  server.registerTool('weather', { inputSchema: input }, ({ city }) => report(city));
  await server.connect(new StdioServerTransportV1());
}
function createSecond(): McpServerV2 {
  const server = new McpServerV2(name);
  server.registerTool('weather', { inputSchema: z.object(input) }, ({ city }) => report(city));
  return server;
}
if (kind === 'second') await createSecond().connect(new StdioServerTransportV2());
if (kind === 'modern') serveStdio(createSecond);
if (kind === 'http') {
  const server = new McpServerV1(name);
  server.registerTool('weather', { inputSchema: input }, ({ city }, { requestInfo }) => {
    const { authorization, 'mcp-protocol-version': version } = requestInfo?.headers ?? {};
    return report(city, [authorization, String(version).slice(0, 4)]);
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await server.connect(transport as never); // exactOptionalPropertyTypes: its own types differ in undefined
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  process.stdout.write(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`);
}
