import { createInterface } from 'node:readline';

/** A server over stdio by no SDK: it answers a call with a task of the extension, and tells its end when it is told to. */
interface Message {
  readonly id?: unknown;
  readonly method?: string;
}

const send = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
// oxlint-disable-next-line tollgate/restricted-syntax -- a program of its own has no other clock
const createdAt = new Date().toISOString();
const times = { createdAt, lastUpdatedAt: createdAt, ttlMs: null };
const task = { taskId: `task-${process.pid}`, ...times };

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line) as Message;
  if (method === 'tools/call') send({ id, result: { resultType: 'task', status: 'working', ...task } });
  if (method === 'notifications/end') {
    const result = { resultType: 'complete', content: [{ type: 'text', text: 'Oslo' }] };
    send({ method: 'notifications/tasks', params: { ...task, status: 'completed', result } });
  }
});
