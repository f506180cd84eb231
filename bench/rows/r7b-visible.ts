import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { refuseFailures, runPacedLoad } from '../load/paced-load.ts';
import type { Product } from '../products/product.ts';
import { startStandaloneProduct } from '../products/standalone.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';
import { measureHalfLoad } from './r6-latency.ts';

const samplers = 4;
const sampledMs = 5_000;
const loadSecondsMax = 150;
const patienceMs = 5_000;
/** A look takes 5 ms of CPU. Four samplers that never rest took half of what the product has at half load. */
const lookEveryMs = 20;

/** From the answer to an event to its being visible in /v1/usage, at half of the load that the product can bear. */
export const visibleRow = defineRow({
  id: 'R7b',
  ours: 'p99 from the answer to an event to its being visible in GET /v1/usage, standalone, at half of the rate that saturates it',
  ceiling: undefined,
  unit: 'ms',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'figure', bound: { atMost: 250 } },
  isComparable: false,
  openOurs: (context) => Promise.resolve(visibleSide(context)),
});

/** A new product for each round: what half load is, is measured anew. */
function visibleSide(context: RowContext): Side {
  let product: Product | undefined;
  let perSecond = 0;
  return {
    get processes() {
      return product?.processes ?? [];
    },
    async prepare() {
      await product?.close();
      product = await startStandaloneProduct(context);
      perSecond = await measureHalfLoad(product, context);
      for (let at = 0; at < samplers; at += 1) await makeTool(product, slugOf(at));
    },
    async measure() {
      if (product === undefined) throw new Error('the round was not prepared');
      const { recordUrl, keys: tokens, toolId } = product;
      const enough = new AbortController();
      const load = { url: `${recordUrl}/v1/events`, tokens, toolId, perSecond, seconds: loadSecondsMax };
      const sending = runPacedLoad(load, enough.signal);
      const delays = await sampleAll(product).finally(() => enough.abort());
      const sent = await sending;
      refuseFailures(sent);
      await untilCounted(product);
      const post = Math.round(percentile(sent.waitsMs, 0.99));
      context.progress(
        `${delays.length} samples at ${perSecond} events per second, whose answers had a p99 of ${post} ms`,
      );
      return { events: sent.waitsMs.length + delays.length, value: percentile(delays, 0.99) };
    },
    close: async () => product?.close(),
  };
}

async function sampleAll(product: Product): Promise<number[]> {
  const untilMs = systemClock.monotonicMs() + sampledMs;
  const delays = await Promise.all(Array.from({ length: samplers }, (_, at) => sample(product, at, untilMs)));
  return delays.flat();
}

async function sample(product: Product, at: number, untilMs: number): Promise<number[]> {
  const delays: number[] = [];
  while (systemClock.monotonicMs() < untilMs) delays.push(await measureDelay(product, at, delays.length));
  return delays;
}

/** Free of charge: a new price each time would be another matter. */
async function makeTool({ client, builderToken: token }: Product, slug: string): Promise<void> {
  const made = await client('POST', '/v1/tools', {
    token,
    body: { slug, name: slug, price: { per_call_usd: '0' } },
  });
  if (made.status !== 201) throw new Error(`making a tool: ${made.text}`);
}

/** From the answer to an event until a look sees it, in ms. Each sampler has a key and a tool of its own. */
async function measureDelay({ client, keys }: Product, at: number, calls: number): Promise<number> {
  const token = keys[at] ?? '';
  const answer = await client('POST', '/v1/events', { token, body: { tool_id: slugOf(at) } });
  if (answer.status !== 201) throw new Error(`recording an event: ${answer.text}`);
  const answeredMs = systemClock.monotonicMs();
  for (;;) {
    const usage = await client<{ totals: { calls: number } }>('GET', `/v1/usage?tool_id=${slugOf(at)}`, { token });
    const elapsedMs = systemClock.monotonicMs() - answeredMs;
    if (usage.body.totals.calls === calls + 1) return elapsedMs;
    if (elapsedMs > patienceMs) throw new Error(`not visible after ${patienceMs} ms: ${usage.text}`);
    await sleep(lookEveryMs);
  }
}

function slugOf(at: number): string {
  return `sampled-${at}`;
}
