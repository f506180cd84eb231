import { createInterface } from 'node:readline';

/**
 * A server over stdio by no SDK. What its tool does is said by the city: it answers at once, or when three calls wait
 * ("together"), when the call is given up ("in spite": with a result; "obedient": with an error), or when its client has
 * hung up ("late"). The answer "large" has 12 MiB.
 */
interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown; readonly arguments?: { readonly city?: string } };
}

const send = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const give = (id: unknown, text: string) => send({ id, result: { content: [{ type: 'text', text }] } });
const together: unknown[] = [];
const late: unknown[] = [];
const cities = new Map<unknown, string>();

function call(id: unknown, city: string): void {
  cities.set(id, city);
  if (city === 'late') late.push(id);
  else if (city === 'together') together.push(id);
  else if (city === 'large') give(id, 'x'.repeat(12 * 1024 * 1024));
  else if (city !== 'in spite' && city !== 'obedient') give(id, city);
  if (together.length < 3) return;
  for (const waiting of together.splice(0)) give(waiting, city);
}

function cancel(id: unknown): void {
  if (cities.get(id) === 'in spite') give(id, 'in spite');
  if (cities.get(id) === 'obedient') send({ id, error: { code: 0, message: 'Request cancelled' } });
}

function take({ id, method, params }: Message): void {
  const serverInfo = { name: 'raw', version: '1' };
  if (method === 'initialize')
    send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } });
  if (method === 'tools/list') send({ id, result: { tools: [{ name: 'weather', inputSchema: { type: 'object' } }] } });
  if (method === 'tools/call') call(id, params?.arguments?.city ?? '');
  if (method === 'notifications/cancelled') cancel(params?.requestId);
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => take(JSON.parse(line) as Message));
lines.on('close', () => late.forEach((id) => give(id, 'late')));
