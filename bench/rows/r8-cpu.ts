import { startDistributedProduct } from '../products/distributed.ts';
import { startStandaloneProduct } from '../products/standalone.ts';
import { defineRow, type Row } from '../row.ts';
import { batches, ingestSide, openEcho, runOf, singles, type IngestLoad } from './ingest-side.ts';

interface Variant {
  readonly id: string;
  readonly shape: 'standalone' | 'distributed';
  readonly load: IngestLoad;
  readonly atMost: number;
}

const variants: readonly Variant[] = [
  { id: 'R8a', shape: 'standalone', load: singles, atMost: 3 },
  { id: 'R8b', shape: 'distributed', load: singles, atMost: 4 },
  { id: 'R8c', shape: 'standalone', load: batches, atMost: 0.6 },
  { id: 'R8d', shape: 'distributed', load: batches, atMost: 0.9 },
];

/** CPU of all our processes per event, from POST to counted, against the CPU of one bare echo per answer. */
export const cpuRows: readonly Row[] = variants.map(({ id, shape, load, atMost }) =>
  defineRow({
    id,
    family: 'R8',
    run: runOf(shape, load),
    ours: `CPU per event from POST to counted, all processes, ${shape}, ${load.batchEvents === 1 ? 'single events' : `batches of ${load.batchEvents}`}`,
    ceiling: 'CPU per answer of a bare node:http echo of the same single events to the same client',
    unit: 'µs',
    figure: 'cpu',
    isHigherBetter: false,
    goal: { of: 'ratio', bound: { atMost } },
    isComparable: shape === 'standalone',
    async openOurs(context) {
      const start = shape === 'standalone' ? startStandaloneProduct : startDistributedProduct;
      return ingestSide(await start(context), { ...load, seconds: context.seconds });
    },
    openCeiling: openEcho,
  }),
);
