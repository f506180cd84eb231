import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventTemplate, marks } from './event-body.ts';
import { openHttpConnections } from './http-connections.ts';
import type { PacedLoadOptions, PacedLoadResult } from './paced-load.ts';

/**
 * The process of `paced-load.ts`: single events at an even rate, whether earlier ones are answered or not. The wait is
 * measured from the moment at which the event should have left, so that a slow answer does not hide those behind it.
 */
const turnMs = 2;
const waitingMaxDefault = 2_000;
/** As many as the load has that saturates a product. */
const connectionsMaxDefault = 128;
let isEnough = false;

process.once('disconnect', () => process.exit()); // a bench that was killed leaves no load behind
process.once('message', (options: PacedLoadOptions) => {
  void run(options).then((result) => {
    process.send?.(result, () => process.disconnect());
  });
  process.once('message', () => (isEnough = true));
});

async function run(options: PacedLoadOptions): Promise<PacedLoadResult> {
  const { url, tokens, toolId, perSecond, seconds, leadSeconds = 0, connectionsMax = connectionsMaxDefault } = options;
  const { template = eventTemplate(toolId), waitingMax = waitingMaxDefault } = options;
  const { origin, host, pathname } = new URL(url);
  const connections = openHttpConnections(origin, connectionsMax);
  const waitsMs: number[] = [];
  const statuses = new Map<string, number>();
  const open = new Set<Promise<void>>();
  const startedMs = performance.now();
  const lead = Math.round(perSecond * leadSeconds);
  const count = Math.round(perSecond * (leadSeconds + seconds));
  const skippedAtSeconds: number[] = [];
  for (let at = 0; at < count && !isEnough;) {
    const due = Math.min(count, Math.floor(((performance.now() - startedMs) / 1_000) * perSecond) + 1);
    for (; at < due; at += 1) {
      if (open.size >= Math.max(waitingMax, connectionsMax)) skippedAtSeconds.push(at / perSecond);
      else track(send(at));
    }
    await sleep(turnMs);
  }
  const elapsedMs = performance.now() - startedMs;
  await Promise.all(open);
  connections.close();
  return { waitsMs, statuses: Object.fromEntries(statuses), skippedAtSeconds, seconds: elapsedMs / 1_000 };

  function track(work: Promise<void>): void {
    open.add(work);
    void work.then(() => open.delete(work));
  }

  async function send(at: number): Promise<void> {
    const dueMs = startedMs + (at / perSecond) * 1_000;
    const status = await post(tokens[at % tokens.length] ?? '');
    if (at >= lead) waitsMs.push(performance.now() - dueMs);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  function post(token: string): Promise<string> {
    const body = template.replace(marks.key, randomUUID()).replace(marks.time, new Date(Date.now()).toISOString());
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}`;
    return connections.send(
      `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  }
}
