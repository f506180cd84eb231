import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventTemplate, marks } from './event-body.ts';
import type { PacedLoadOptions, PacedLoadResult } from './paced-load.ts';

/**
 * The process of `paced-load.ts`: single events at an even rate, whether earlier ones are answered or not. The wait is
 * measured from the moment at which the event should have left, so that a slow answer does not hide those behind it.
 */
const turnMs = 2;
const connectionsMaxDefault = 2_000;
let isEnough = false;

process.once('message', (options: PacedLoadOptions) => {
  void run(options).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
  process.once('message', () => (isEnough = true));
});

async function run(options: PacedLoadOptions): Promise<PacedLoadResult> {
  const { url, tokens, toolId, perSecond, seconds, connectionsMax = connectionsMaxDefault } = options;
  const { template = eventTemplate(toolId) } = options;
  const agent = new Agent({ keepAlive: true });
  const waitsMs: number[] = [];
  const statuses = new Map<string, number>();
  const open = new Set<Promise<void>>();
  const startedMs = performance.now();
  const count = Math.round(perSecond * seconds);
  let skipped = 0;
  for (let at = 0; at < count && !isEnough;) {
    const due = Math.min(count, Math.floor(((performance.now() - startedMs) / 1_000) * perSecond) + 1);
    for (; at < due; at += 1) {
      if (open.size >= connectionsMax) skipped += 1;
      else track(send(at));
    }
    await sleep(turnMs);
  }
  const elapsedMs = performance.now() - startedMs;
  await Promise.all(open);
  agent.destroy();
  return { waitsMs, statuses: Object.fromEntries(statuses), skipped, seconds: elapsedMs / 1_000 };

  function track(work: Promise<void>): void {
    open.add(work);
    void work.then(() => open.delete(work));
  }

  async function send(at: number): Promise<void> {
    const dueMs = startedMs + (at / perSecond) * 1_000;
    const status = await post(tokens[at % tokens.length] ?? '');
    waitsMs.push(performance.now() - dueMs);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  function post(token: string): Promise<string> {
    const body = template.replace(marks.key, randomUUID()).replace(marks.time, new Date(Date.now()).toISOString());
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve) => {
      const sent = request(url, { agent, method: 'POST', headers }, (response) => {
        response.resume().once('end', () => resolve(String(response.statusCode)));
      });
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end(body);
    });
  }
}
