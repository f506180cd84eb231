#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0 and client 2.4.0: a server that answers a call with a task is refused by its own client.
#
# MCP 2026-07-28 has tasks as the extension `io.modelcontextprotocol/tasks`: the answer to a call has `resultType: "task"`. Both
# sides declare the extension here. The server sends the handle as it is given, and adds `content: []` to it. The client of the
# same generation throws `UNSUPPORTED_RESULT_TYPE` before its caller sees the task, so nobody can poll it: the work goes on, and
# whoever charges at the handle charges for an answer that no client can read. Charge a task when it ends.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0
cat >task.mjs <<'JS'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const extensions = { 'io.modelcontextprotocol/tasks': {} };
const at = '2026-01-01T00:00:00Z';
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'slow', version: '1' }, { capabilities: { tools: {}, extensions } });
  server.setRequestHandler('tools/list', async () => ({ tools: [{ name: 'slow', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler('tools/call', async () => ({
    resultType: 'task', taskId: 't1', status: 'working', createdAt: at, lastUpdatedAt: at, ttlMs: 60_000,
  }));
  return server;
});
let sent;
const fetchHere = async (url, init) => {
  const response = await handler.fetch(new Request(url, init));
  sent = await response.clone().text();
  return response;
};
const client = new Client({ name: 'caller', version: '1' }, { capabilities: { extensions }, versionNegotiation: { mode: { pin: '2026-07-28' } } });
await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch: fetchHere }));
const seen = await client.callTool({ name: 'slow', arguments: {} }).then(() => 'a result', ({ code, message }) => `${code}: ${message}`);
const { resultType, taskId, content } = JSON.parse(sent).result;
console.log(`server sends ${resultType} ${taskId}, content ${JSON.stringify(content)}`);
console.log(`client gives ${seen}`);
JS
seen="$(node task.mjs)"
echo "$seen"
wanted="server sends task t1, content []
client gives UNSUPPORTED_RESULT_TYPE: Unsupported result type 'task' for tools/call"
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
