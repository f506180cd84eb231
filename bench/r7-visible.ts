import { systemClock } from '@tollgate/kernel/clock';
import { percentile, spreadOf, writeResult } from './measure.ts';
import { withProduct, type ProductUnderLoad } from './product-under-load.ts';

const samples = 400;
const backgroundEveryMs = 5;
const patienceMs = 5_000;

/** From the answer to an event to its being visible in /v1/usage, while other events come in. */
export async function benchVisible(): Promise<void> {
  await withProduct(async (product) => {
    const background = sendInBackground(product);
    const delays: number[] = [];
    for (let at = 0; at < samples; at += 1) delays.push(await measureDelay(product, at));
    await background.stop();
    await writeResult('R7', {
      what: `ms from the answer to an event to its being visible in GET /v1/usage, ${samples} samples, other events every ${backgroundEveryMs} ms`,
      delayMs: { ...spreadOf(delays), p99: percentile(delays, 0.99) },
      goal: { p99Ms: 250 },
    });
  });
}

async function measureDelay({ client, keys, builderToken }: ProductUnderLoad, at: number): Promise<number> {
  const toolId = `visible-${at}`;
  await client('POST', '/v1/tools', {
    token: builderToken,
    body: { slug: toolId, name: toolId, price: { per_call_usd: '0' } },
  });
  const token = keys[at % keys.length] ?? '';
  const answer = await client('POST', '/v1/events', { token, body: { tool_id: toolId } });
  if (answer.status !== 201) throw new Error(`recording an event: ${answer.text}`);
  const answeredMs = systemClock.monotonicMs();
  for (;;) {
    const usage = await client<{ totals: { calls: number } }>('GET', `/v1/usage?tool_id=${toolId}`, { token });
    const elapsedMs = systemClock.monotonicMs() - answeredMs;
    if (usage.body.totals.calls === 1) return elapsedMs;
    if (elapsedMs > patienceMs) throw new Error(`not visible after ${patienceMs} ms: ${usage.text}`);
  }
}

function sendInBackground({ client, keys, toolId }: ProductUnderLoad): { stop(): Promise<void> } {
  let at = 0;
  let sending: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    at += 1;
    sending = client('POST', '/v1/events', { token: keys[at % keys.length] ?? '', body: { tool_id: toolId } });
  }, backgroundEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await sending;
    },
  };
}
