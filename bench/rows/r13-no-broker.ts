import { smallContainer } from '@tollgate/testkit/small-container';
import { notSent, runPacedLoad } from '../load/paced-load.ts';
import { runWrk } from '../load/wrk.ts';
import { readResidentMegabytes } from '../machine/process-memory.ts';
import { startDistributedProduct, type DistributedProduct } from '../products/distributed.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';
import { medianOf } from '../statistics.ts';
import { singles } from './ingest-side.ts';

const outageSecondsDefault = 300;
const requestsPerSecond = 5_000;
const sampleEveryMs = 500;
/** Twice as many as the gateway takes, so that it is the gateway that refuses, and not the load that holds back. */
const connectionsMax = 4_000;
const skippedShareMax = 0.01;

type Variant = Pick<Row, 'id' | 'ours' | 'unit' | 'figure' | 'goal'>;

const load = `${outageSecondsDefault} s without a broker at ${requestsPerSecond} requests per second, with the settings for a small container`;
const variants: readonly Variant[] = [
  {
    id: 'R13a',
    ours: `greatest resident memory of the gateway through ${load}`,
    unit: 'MB',
    figure: 'value',
    goal: { of: 'figure', bound: { atMost: 160 } },
  },
  {
    id: 'R13b',
    ours: `resident memory of the gateway in the last fifth of ${load}, against the second fifth`,
    unit: '×',
    figure: 'growth',
    goal: { of: 'figure', bound: { atMost: 1.05 } },
  },
];

/** The gateway must neither hoard what it cannot hand over nor fall over: its memory is bounded, and flat. */
export const noBrokerRows: readonly Row[] = variants.map((variant) =>
  defineRow({
    ...variant,
    family: 'R13',
    run: 'no broker',
    ceiling: undefined,
    isHigherBetter: false,
    isComparable: false,
    fullSize: { outageSeconds: outageSecondsDefault },
    openOurs: (context) => Promise.resolve(noBrokerSide(context)),
  }),
);

/** The broker is frozen, since the stack starts an ended one again. A new product for each round: its memory has no past. */
function noBrokerSide(context: RowContext): Side {
  const seconds = context.sizes.outageSeconds ?? outageSecondsDefault;
  let product: DistributedProduct | undefined;
  return {
    get processes() {
      return product?.processes.filter(({ name }) => !name.startsWith('kafka')) ?? [];
    },
    isWarm: true,
    async prepare() {
      await product?.close();
      product = await startDistributedProduct(context, smallContainer);
      await warm(product, context);
    },
    async measure() {
      if (product === undefined) throw new Error('the round was not prepared');
      const { recordUrl, keys: tokens, toolId } = product;
      const broker = product.pidOf('kafka-1');
      process.kill(broker, 'SIGSTOP');
      const url = `${recordUrl}/v1/events`;
      const sending = runPacedLoad({ url, tokens, toolId, perSecond: requestsPerSecond, seconds, connectionsMax });
      const sampling = { everyMs: sampleEveryMs, until: sending };
      const megabytes = await readResidentMegabytes(product.pidOf('ingest-gateway-1'), sampling);
      const { statuses, skippedAtSeconds, waitsMs } = await sending.finally(() => process.kill(broker, 'SIGCONT'));
      context.progress(`answers ${JSON.stringify(statuses)}`);
      if (skippedAtSeconds.length > skippedShareMax * requestsPerSecond * seconds)
        throw new Error(`${notSent(skippedAtSeconds)}: the load was less than it should be`);
      const growth = medianOf(fifthOf(megabytes, 5)) / medianOf(fifthOf(megabytes, 2));
      return { events: waitsMs.length, value: Math.max(...megabytes), growth };
    },
    close: async () => product?.close(),
  };
}

async function warm(product: DistributedProduct, { seconds }: RowContext): Promise<void> {
  const { recordUrl, keys: tokens, toolId } = product;
  await runWrk({ ...singles, url: `${recordUrl}/v1/events`, tokens, toolId, seconds });
  await untilCounted(product);
}

/** From a fifth of a time series, counted from one. */
function fifthOf(values: readonly number[], place: number): number[] {
  return values.slice(Math.floor(((place - 1) * values.length) / 5), Math.floor((place * values.length) / 5));
}
