#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0: `request.params` of a handler lacks `inputResponses` and `requestState`.
#
# Since MCP 2026-07-28 a tool that wants more input ends its call, and the client sends the whole call again with `inputResponses`.
# The server takes both fields out of the parameters that a request handler gets, and hands them over in `context.mcpReq`. So a
# handler around a server's own (a cache, a meter, a memory of idempotency keys) that compares calls by their `params` takes the
# answer to another input for a repeat: here Rome and Oslo are one call to it. Compare `context.mcpReq.inputResponses`, too.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0
cat >input.mjs <<'JS'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const seen = [];
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'weather', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({ tools: [{ name: 'weather', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    seen.push({ params: JSON.stringify(params), city: mcpReq.inputResponses?.city?.content?.city });
    return { content: [] };
  });
  return server;
});
const client = new Client(
  { name: 'caller', version: '1' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
const fetchHere = (url, init) => handler.fetch(new Request(url, init));
await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch: fetchHere }));
for (const city of ['Rome', 'Oslo']) {
  const inputResponses = { city: { action: 'accept', content: { city } } };
  await client.request({ method: 'tools/call', params: { name: 'weather', arguments: {}, inputResponses, requestState: 's' } });
}
const [rome, oslo] = seen;
console.log(`params: ${rome.params}, the same for both ${rome.params === oslo.params}`);
console.log(`context: ${rome.city}, ${oslo.city}`);
JS
seen="$(node input.mjs)"
echo "$seen"
wanted='params: {"name":"weather","arguments":{}}, the same for both true
context: Rome, Oslo'
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
