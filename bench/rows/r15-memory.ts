import { startDistributedProduct } from '../products/distributed.ts';
import type { Product } from '../products/product.ts';
import { startStandaloneProduct } from '../products/standalone.ts';
import { untilCounted } from '../products/until-counted.ts';
import { readResidentMegabytes } from '../machine/process-memory.ts';
import { refuseFailures, runPacedLoad } from '../load/paced-load.ts';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';
import { rounded } from '../statistics.ts';
import { measureHalfLoad } from './r6-latency.ts';

/** Five rounds are ten minutes. The two minutes of warm-up before them do not count: the heap grows most in them. */
const roundSeconds = 120;
const sampleEveryMs = 1_000;
const service = /^(standalone|auth|billing|ingest-gateway-\d+|aggregator-\d+)$/;

const shapes = [
  { id: 'R15a', shape: 'standalone', start: startStandaloneProduct },
  { id: 'R15b', shape: 'distributed', start: (context: RowContext) => startDistributedProduct(context) },
] as const;

/** A heap grows until it is collected. What it falls back to is what a leak would raise. */
export const memoryRows: readonly Row[] = shapes.map(({ id, shape, start }) =>
  defineRow({
    id,
    family: 'R15',
    ours: `least resident memory in a round of ${roundSeconds} s of half load, against the first of five; ${shape}, the service that grew most, the worst round`,
    ceiling: undefined,
    unit: '×',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'figure', bound: { atMost: 1.05 }, everyRound: true },
    isComparable: false,
    isUnmovedByOthers: true,
    openOurs: async (context) => memorySide(await start(context), context),
  }),
);

async function memorySide(product: Product, context: RowContext): Promise<Side> {
  const { processes, close, recordUrl, keys: tokens, toolId } = product;
  const services = processes.filter(({ name }) => service.test(name));
  const perSecond = await measureHalfLoad(product, context);
  const measured: ReadonlyMap<string, number>[] = []; // the first is the warm-up
  return {
    processes,
    async measure() {
      const load = { url: `${recordUrl}/v1/events`, tokens, toolId, perSecond, seconds: roundSeconds };
      const sending = runPacedLoad(load);
      const least = await Promise.all(
        services.map(async ({ name, pid }) => {
          const megabytes = await readResidentMegabytes(pid, { everyMs: sampleEveryMs, until: sending });
          return [name, Math.min(...megabytes)] as const;
        }),
      );
      const sent = await sending;
      refuseFailures(sent);
      await untilCounted(product);
      context.progress(least.map(([name, megabytes]) => `${name} ${rounded(megabytes)} MB`).join(', '));
      measured.push(new Map(least));
      const [warmUp, first = warmUp] = measured;
      const growths = least.map(([name, megabytes]) => megabytes / (first?.get(name) ?? Number.NaN));
      return { events: sent.waitsMs.length, value: Math.max(...growths) };
    },
    close,
  };
}
