import { startDistributedProduct } from '../products/distributed.ts';
import { startStandaloneProduct } from '../products/standalone.ts';
import { defineRow, type Goal, type NoGoal, type Row } from '../row.ts';
import { batches, echoText, ingestSide, openEcho, runOf, singles, type IngestLoad } from './ingest-side.ts';

interface Kind {
  readonly load: IngestLoad;
  readonly figure: 'value' | 'counted';
  readonly text: string;
  readonly goal: Goal | NoGoal;
}

const withoutRival = (times: number): NoGoal => ({
  undecided: `the goal is ${times} times OpenMeter's figure, and OpenMeter is not on this machine`,
});
const answeredKind: Kind = {
  load: singles,
  figure: 'value',
  text: 'single answers per second',
  goal: { of: 'ratio', bound: { atLeast: 0.6 } },
};
const acceptedKind: Kind = {
  load: batches,
  figure: 'value',
  text: `events per second accepted in batches of ${batches.batchEvents}`,
  goal: withoutRival(3),
};
const countedKind: Kind = {
  load: batches,
  figure: 'counted',
  text: `events per second from the first POST until all are counted, batches of ${batches.batchEvents}`,
  goal: withoutRival(6),
};

const variants = [
  { id: 'R11a', shape: 'standalone', kind: answeredKind },
  { id: 'R11b', shape: 'standalone', kind: acceptedKind },
  { id: 'R11c', shape: 'standalone', kind: countedKind },
  { id: 'R11d', shape: 'distributed', kind: answeredKind },
  { id: 'R11e', shape: 'distributed', kind: acceptedKind },
  { id: 'R11f', shape: 'distributed', kind: countedKind },
] as const;

/** Everything on this one machine, load generator included, in both shapes, against an echo beside the same load. */
export const oneMachineRows: readonly Row[] = variants.map(({ id, shape, kind }) =>
  defineRow({
    id,
    family: 'R11',
    run: runOf(shape, kind.load),
    ours: `${kind.text}, ${shape}, load generator on the same machine`,
    ceiling: echoText,
    unit: '/s',
    figure: kind.figure,
    isHigherBetter: true,
    goal: kind.goal,
    isComparable: shape === 'standalone',
    async openOurs(context) {
      const start = shape === 'standalone' ? startStandaloneProduct : startDistributedProduct;
      return ingestSide(await start(context), { ...kind.load, seconds: context.seconds });
    },
    openCeiling: openEcho,
  }),
);
