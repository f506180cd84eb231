import { runPacedLoad, refuseFailures } from '../load/paced-load.ts';
import { backups, close, newDays, nothing, type Meanwhile } from '../products/meanwhile.ts';
import { startStandaloneProduct, type StandaloneProduct } from '../products/standalone.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';
import { measureHalfLoad } from './r6-latency.ts';
import { makeTool, measureDelay } from './r7-visible.ts';

const samplers = 4;
const secondsMax = 150;

const variants: readonly {
  readonly id: string;
  readonly what: string;
  readonly open: (product: StandaloneProduct) => Meanwhile;
}[] = [
  { id: 'R7b', what: 'nothing else happens', open: nothing },
  { id: 'R7c', what: 'a month of 10000 consumers closes', open: close },
  { id: 'R7d', what: 'one backup after the other is taken', open: backups },
  { id: 'R7e', what: 'the tables of ten days are made per second', open: newDays },
];

/** R7 at half of the load that the product can bear, while it does something else. */
export const meanwhileRows: readonly Row[] = variants.map(({ id, what, open }) =>
  defineRow({
    id,
    family: 'R7',
    ours: `p99 from the answer to an event to its being visible in GET /v1/usage, standalone, at half of the rate that saturates it, while ${what}`,
    ceiling: undefined,
    unit: 'ms',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'figure', bound: { atMost: 250 } },
    isComparable: false,
    openOurs: (context) => Promise.resolve(meanwhileSide(context, open)),
  }),
);

/** A new product for each round: a month closes once, and made tables stay. */
function meanwhileSide(context: RowContext, open: (product: StandaloneProduct) => Meanwhile): Side {
  let product: StandaloneProduct | undefined;
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
      const load = { url: `${recordUrl}/v1/events`, tokens, toolId, perSecond, seconds: secondsMax };
      const sending = runPacedLoad(load, enough.signal);
      const delays = await sampleWhile(product, open(product)).finally(() => enough.abort());
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

async function sampleWhile(product: StandaloneProduct, meanwhile: Meanwhile): Promise<number[]> {
  try {
    await meanwhile.prepare?.();
    let isOver = false;
    const running = meanwhile.run().finally(() => (isOver = true));
    const sampling = Array.from({ length: samplers }, (_, at) => sample(product, at, () => isOver));
    const [, ...delays] = await Promise.all([running, ...sampling]);
    return delays.flat();
  } finally {
    await meanwhile.end();
  }
}

async function sample(product: StandaloneProduct, at: number, isOver: () => boolean): Promise<number[]> {
  const delays: number[] = [];
  while (!isOver()) delays.push(await measureDelay(product, { toolId: slugOf(at), at, calls: delays.length }));
  return delays;
}

function slugOf(at: number): string {
  return `sampled-${at}`;
}
