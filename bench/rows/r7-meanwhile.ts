import { runPacedLoad, refuseFailures } from '../load/paced-load.ts';
import { startDistributedProduct } from '../products/distributed.ts';
import { backups, close, newDays, nothing, rebalances, restarted, type Meanwhile } from '../products/meanwhile.ts';
import type { Product } from '../products/product.ts';
import { startStandaloneProduct, type StandaloneProduct } from '../products/standalone.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type Measurement, type Row, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';
import { measureHalfLoad } from './r6-latency.ts';
import { makeTool, measureDelay } from './r7-visible.ts';

const secondsMax = 150;

interface Variant {
  readonly id: string;
  readonly shape: 'standalone' | 'distributed';
  readonly what: string;
  readonly start: (context: RowContext) => Promise<Beside>;
}

/** A product and what it does beside its load. */
interface Beside {
  readonly product: Product;
  readonly meanwhile: Meanwhile;
  /** How many events at a time are waited for, each with reads of its usage. */
  readonly samplers: number;
}

const inStandalone = (open: (product: StandaloneProduct) => Meanwhile) => async (context: RowContext) => {
  const product = await startStandaloneProduct(context);
  return { product, meanwhile: open(product), samplers: 4 };
};

async function startRebalancing(context: RowContext): Promise<Beside> {
  const product = await startDistributedProduct(context, {}, 2);
  const processes = product.processes.filter(({ name }) => name !== restarted); // its CPU is of several processes
  // Each read passes two processes here. Those of four samplers and a starting aggregator were more than the machine has.
  return { product: { ...product, processes }, meanwhile: rebalances(product), samplers: 2 };
}

const variants: readonly Variant[] = [
  { id: 'R7b', shape: 'standalone', what: 'nothing else happens', start: inStandalone(nothing) },
  { id: 'R7c', shape: 'standalone', what: 'a month of 10000 consumers closes', start: inStandalone(close) },
  { id: 'R7d', shape: 'standalone', what: 'one backup after the other is taken', start: inStandalone(backups) },
  { id: 'R7e', shape: 'standalone', what: 'the tables of ten days are made per second', start: inStandalone(newDays) },
  { id: 'R7f', shape: 'distributed', what: 'one of two aggregators leaves and joins again', start: startRebalancing },
];

/** R7 at half of the load that the product can bear, while it does something else. */
export const meanwhileRows: readonly Row[] = variants.map(({ id, shape, what, start }) =>
  defineRow({
    id,
    family: 'R7',
    ours: `p99 from the answer to an event to its being visible in GET /v1/usage, ${shape}, at half of the rate that saturates it, while ${what}`,
    ceiling: undefined,
    unit: 'ms',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'figure', bound: { atMost: 250 } },
    isComparable: false,
    openOurs: (context) => Promise.resolve(meanwhileSide(context, start)),
  }),
);

/** A new product for each round: a month closes once, and made tables stay. */
function meanwhileSide(context: RowContext, start: Variant['start']): Side {
  let beside: Beside | undefined;
  let perSecond = 0;
  return {
    get processes() {
      return beside?.product.processes ?? [];
    },
    async prepare() {
      await beside?.product.close();
      beside = await start(context);
      const { product } = beside;
      perSecond = await measureHalfLoad(product, context);
      for (let at = 0; at < beside.samplers; at += 1) await makeTool(product, slugOf(at));
    },
    async measure() {
      if (beside === undefined) throw new Error('the round was not prepared');
      const { meanwhile } = beside;
      try {
        await meanwhile.prepare?.();
        return await measureBeside(beside, perSecond, context);
      } finally {
        await meanwhile.end();
      }
    },
    close: async () => beside?.product.close(),
  };
}

async function measureBeside(beside: Beside, perSecond: number, { progress }: RowContext): Promise<Measurement> {
  const { product } = beside;
  const { recordUrl, keys: tokens, toolId } = product;
  const enough = new AbortController();
  const load = { url: `${recordUrl}/v1/events`, tokens, toolId, perSecond, seconds: secondsMax };
  const sending = runPacedLoad(load, enough.signal);
  const delays = await sampleWhile(beside).finally(() => enough.abort());
  const sent = await sending;
  refuseFailures(sent);
  await untilCounted(product);
  const post = Math.round(percentile(sent.waitsMs, 0.99));
  progress(`${delays.length} samples at ${perSecond} events per second, whose answers had a p99 of ${post} ms`);
  return { events: sent.waitsMs.length + delays.length, value: percentile(delays, 0.99) };
}

async function sampleWhile({ product, meanwhile, samplers }: Beside): Promise<number[]> {
  await meanwhile.begun?.();
  let isOver = false;
  const running = meanwhile.run().finally(() => (isOver = true));
  const sampling = Array.from({ length: samplers }, (_, at) => sample(product, at, () => isOver));
  const [, ...delays] = await Promise.all([running, ...sampling]);
  return delays.flat();
}

async function sample(product: Product, at: number, isOver: () => boolean): Promise<number[]> {
  const delays: number[] = [];
  while (!isOver()) delays.push(await measureDelay(product, { toolId: slugOf(at), at, calls: delays.length }));
  return delays;
}

function slugOf(at: number): string {
  return `sampled-${at}`;
}
