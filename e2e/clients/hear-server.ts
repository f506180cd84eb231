import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '@tollgate/testkit/eventually';

/** A server directly, or a proxy before it. */
export type Place =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly pass: string };

interface Transport {
  onmessage?: ((message: object) => void) | undefined;
  start(): Promise<void>;
}

/** The part of both clients that tests use. */
interface Client {
  connect(transport: never): Promise<void>;
  request(request: object, schemaOrOptions?: unknown, options?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'test', version: '1' };
const capabilities = { sampling: {}, elicitation: {} };
const sampled = { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'warm' } };
const elicited = { action: 'accept' as const, content: { city: 'Oslo' } };

const open = {
  first(place: Place) {
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
    client.setRequestHandler(ElicitRequestSchema, () => elicited);
    const transport = 'url' in place ? new HttpV1(new URL(place.url), bearer(place.pass)) : new StdioV1(command(place));
    return { client: client as unknown as Client, transport: transport as unknown as Transport };
  },
  second(place: Place) {
    const client = new ClientV2(info, { capabilities });
    client.setRequestHandler('sampling/createMessage', () => sampled);
    client.setRequestHandler('elicitation/create', () => elicited);
    const transport = 'url' in place ? new HttpV2(new URL(place.url), bearer(place.pass)) : new StdioV2(command(place));
    return { client: client as unknown as Client, transport: transport as unknown as Transport };
  },
};

function bearer(pass: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${pass}` } } };
}

function command({ command: name, args }: { readonly command: string; readonly args: readonly string[] }) {
  return { command: name, args: [...args], stderr: 'inherit' as const };
}

/** The requests of the conversation, one after the other. */
const asked: readonly { readonly method: string; readonly params?: object; readonly progress?: boolean }[] = [
  { method: 'ping' },
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/read', params: { uri: 'note://1' } },
  { method: 'resources/subscribe', params: { uri: 'note://1' } },
  { method: 'prompts/list' },
  { method: 'prompts/get', params: { name: 'greet' } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'city', value: 'O' } },
  },
  { method: 'logging/setLevel', params: { level: 'debug' } },
  { method: 'tools/call', params: { name: 'count', arguments: {} }, progress: true },
  { method: 'tools/call', params: { name: 'sample', arguments: {} } },
  { method: 'tools/call', params: { name: 'ask', arguments: {} } },
  { method: 'tools/call', params: { name: 'touch', arguments: {} } },
  { method: 'tools/call', params: { name: 'missing', arguments: {} } },
  { method: 'no/such/method' },
];

/** Talks to the server with an official client, and gives each message that came from it. */
export async function hearServer(generation: keyof typeof open, place: Place): Promise<readonly object[]> {
  const { client, transport } = open[generation](place);
  const heard: object[] = [];
  const start = transport.start.bind(transport);
  transport.start = async () => {
    const { onmessage } = transport;
    transport.onmessage = (message) => {
      heard.push(JSON.parse(JSON.stringify(message)) as object);
      onmessage?.(message);
    };
    await start();
  };
  await client.connect(transport as never);
  const anything = { parse: (value: unknown) => value, safeParse: (data: unknown) => ({ success: true, data }) };
  const request = async ({ method, params }: (typeof asked)[number], options: object) => {
    const all = generation === 'first' ? [anything, options] : [anyResult, options];
    return client.request({ method, params }, ...all).catch(() => undefined); // its error is heard, too
  };
  for (const one of asked) await request(one, one.progress === true ? { onprogress: () => undefined } : {});
  const giveUp = new AbortController();
  const given = request({ method: 'tools/call', params: { name: 'wait', arguments: {} } }, { signal: giveUp.signal });
  setTimeout(() => giveUp.abort(), 500);
  await given;
  await eventually(() => heard.some((message) => JSON.stringify(message).includes('given up')), { withinMs: 10_000 });
  await client.close();
  return heard;
}

/** The second generation checks results of methods that it does not know by a Standard Schema. */
const anyResult = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };
