import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A server that knows nothing of Tollgate. It tells whether it could read the secrets of the proxy. */
const server = new McpServer({ name: 'weather', version: '1' });
const secrets = Object.keys(process.env).filter((name) => name.startsWith('TOLLGATE_'));
server.registerTool('weather', { inputSchema: z.object({ city: z.string() }) }, async ({ city }) => ({
  content: [{ type: 'text', text: `${city} ${secrets.length === 0 ? 'without a key' : secrets.join()}` }],
}));
await server.connect(new StdioServerTransport());
