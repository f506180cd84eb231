import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

// Where `node server.js` was the command, the proxy now stands before it.
const command = 'npx';
const args = ['tollgate', 'mcp-proxy', '--require-pass', '--tool', 'forecast', '--', 'node', 'server.js'];

async function callAs(key) {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const env = { ...process.env, TOLLGATE_KEY: key };
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'inherit' }));
  const { content, isError } = await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
  console.log(isError ? 'refused:' : 'paid:', content[0].text);
  await client.close();
}

await callAs(process.env.TOLLGATE_KEY);
await callAs('');
