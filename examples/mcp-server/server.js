import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { meterServer } from '@tollgate/mcp';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { z } from 'zod';

const server = new McpServer({ name: 'weather', version: '1.0.0' });
server.registerTool('weather', { inputSchema: z.object({ city: z.string() }) }, ({ city }) => ({
  content: [{ type: 'text', text: `12 degrees in ${city}` }],
}));

// The lines below meter the server; those above were there already.
const tollgate = new Tollgate();
const meter = await Meter.open({ tollgate, dir: '.tollgate-spool', closeOnExit: true });
const calls = createCalls({ tollgate, meter, requirePass: true });
meterServer(server, { tollgate, calls, tool: 'weather', ownKey: process.env.TOLLGATE_KEY });

await server.connect(new StdioServerTransport());
