import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

interface McpSettings {
  readonly mcpServers: Record<string, { readonly url: string; readonly headers: Record<string, string> }>;
}

/** Reads the settings as MCP clients do, and calls the tool of the server that they name. */
export async function callAsPasted(pasted: string, slug: string): Promise<unknown> {
  const server = (JSON.parse(pasted) as McpSettings).mcpServers[slug]; // an MCP client knows no more of it
  if (server === undefined) throw new Error(`no server ${slug} in ${pasted}`);
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } }),
  );
  try {
    return await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
  } finally {
    await client.close();
  }
}
