import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

// It knows nothing of Tollgate.
const server = new McpServer({ name: 'weather', version: '1.0.0' });
server.registerTool('weather', { inputSchema: z.object({ city: z.string() }) }, ({ city }) => ({
  content: [{ type: 'text', text: `12 degrees in ${city}` }],
}));
await server.connect(new StdioServerTransport());
