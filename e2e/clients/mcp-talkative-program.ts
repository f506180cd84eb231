import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioServerTransportV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CompleteRequestSchema, SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * A server over stdio that uses all that MCP has for servers: progress, logs, questions to the client and its user,
 * resources that change, prompts and completions.
 */
const server = new McpServerV1(
  { name: 'talkative', version: '1' },
  { capabilities: { logging: {}, resources: { subscribe: true }, completions: {} } },
);
const uri = 'note://1';
const toText = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });

server.registerTool('count', {}, async ({ _meta, sendNotification }) => {
  const { progressToken = 'none' } = _meta ?? {};
  for (const progress of [1, 2, 3])
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
  await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'counted' } });
  return toText(3);
});

server.registerTool('sample', {}, async () => {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'How warm?' } }];
  return toText(await server.server.createMessage({ messages, maxTokens: 10 }));
});

server.registerTool('ask', {}, async () => {
  const requestedSchema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
  return toText(await server.server.elicitInput({ message: 'Which city?', requestedSchema }));
});

server.registerTool('touch', {}, async () => {
  await server.server.sendResourceUpdated({ uri });
  server.sendToolListChanged();
  return toText('touched');
});

/** It says what gave it up: its client's cancellation reaches it only if each proxy passes it on. */
server.registerTool('wait', {}, async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await server.sendLoggingMessage({ level: 'warning', data: 'given up' });
  return toText('given up');
});

server.registerResource('note', uri, {}, () => ({ contents: [{ uri, text: 'a note' }] }));
server.registerPrompt('greet', {}, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }));
server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
server.server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: ['Oslo', 'Odense'] } }));
await server.connect(new StdioServerTransportV1());
