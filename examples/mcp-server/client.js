import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const client = new Client({ name: 'agent', version: '1.0.0' });
const transport = new StdioClientTransport({
  command: 'node',
  args: ['server.js'],
  env: process.env,
  stderr: 'inherit',
});
await client.connect(transport);

const { tools } = await client.listTools();
console.log('a call costs', tools[0]._meta['tollgate/price'].charges[0].model.unit_price_usd, 'USD');
const { content } = await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
console.log(content[0].text);
await client.close();
