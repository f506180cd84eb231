import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { refuseFailures, runPacedLoad } from '../load/paced-load.ts';
import type { Product } from '../products/product.ts';
import { startStandaloneProduct } from '../products/standalone.ts';
import { defineRow, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';

const samples = 100;
const backgroundPerSecond = 200;
const backgroundSecondsMax = 120;
const patienceMs = 5_000;
/** A look takes 5 ms of CPU. Four samplers that never rest took half of what the product has at half load. */
const lookEveryMs = 20;

/** From the answer to an event to its being visible in /v1/usage, while other events come in. */
export const visibleRow = defineRow({
  id: 'R7',
  ours: `p99 from the answer to an event to its being visible in GET /v1/usage, standalone, ${samples} samples per round, ${backgroundPerSecond} other events per second`,
  ceiling: undefined,
  unit: 'ms',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'figure', bound: { atMost: 250 } },
  isComparable: true,
  openOurs: async (context) => visibleSide(await startStandaloneProduct(context)),
});

function visibleSide(product: Product): Side {
  const { processes, statementsUrl, close, recordUrl: baseUrl, keys: tokens, toolId } = product;
  let toolIds: string[] = [];
  let made = 0;
  return {
    processes,
    statementsUrl,
    async prepare() {
      toolIds = Array.from({ length: samples }, (_, at) => `visible-${made + at}`);
      made += samples;
      for (const slug of toolIds) await makeTool(product, slug);
    },
    async measure() {
      const enough = new AbortController();
      const load = { tokens, toolId, url: `${baseUrl}/v1/events`, perSecond: backgroundPerSecond };
      const background = runPacedLoad({ ...load, seconds: backgroundSecondsMax }, enough.signal);
      const delays: number[] = [];
      for (const [at, slug] of toolIds.entries()) delays.push(await measureDelay(product, { toolId: slug, at }));
      enough.abort();
      const sent = await background;
      refuseFailures(sent);
      return { events: sent.waitsMs.length + samples, value: percentile(delays, 0.99) };
    },
    close,
  };
}

/** Free of charge: a new price each time would be another matter. */
export async function makeTool({ client, builderToken: token }: Product, slug: string): Promise<void> {
  const body = { slug, name: slug, price: { per_call_usd: '0' } };
  const made = await client('POST', '/v1/tools', { token, body });
  if (made.status !== 201) throw new Error(`making a tool: ${made.text}`);
}

export interface Sample {
  readonly toolId: string;
  /** The place of the caller's key. */
  readonly at: number;
  /** Its calls of the tool so far. */
  readonly calls?: number;
}

/** From the answer to an event until a look sees it, in ms. */
export async function measureDelay({ client, keys }: Product, { toolId, at, calls = 0 }: Sample): Promise<number> {
  const token = keys[at % keys.length] ?? '';
  const answer = await client('POST', '/v1/events', { token, body: { tool_id: toolId } });
  if (answer.status !== 201) throw new Error(`recording an event: ${answer.text}`);
  const answeredMs = systemClock.monotonicMs();
  for (;;) {
    const usage = await client<{ totals: { calls: number } }>('GET', `/v1/usage?tool_id=${toolId}`, { token });
    const elapsedMs = systemClock.monotonicMs() - answeredMs;
    if (usage.body.totals.calls === calls + 1) return elapsedMs;
    if (elapsedMs > patienceMs) throw new Error(`not visible after ${patienceMs} ms: ${usage.text}`);
    await sleep(lookEveryMs);
  }
}
