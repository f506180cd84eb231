import { asPercent } from '../judge-row.ts';
import { measureSide } from '../measure-side.ts';
import type { Row, RowContext, Side } from '../row.ts';
import { describeSample } from '../run-row.ts';
import { rounded } from '../statistics.ts';
import { checkOut } from './checkout.ts';
import { judgePairs, pairsMin, type Judgement, type PairOfSamples } from './judge-pairs.ts';

export interface Comparison {
  readonly rows: readonly Row[];
  readonly ref: string;
  readonly rounds: number | undefined;
  readonly context: RowContext;
}

const roundsDefault = 10;

/** Measures the commit and this checkout in turn, row by row. Answers whether this checkout is slower in any of them. */
export async function compareWith({ rows, ref, rounds = roundsDefault, context }: Comparison): Promise<boolean> {
  const { progress } = context;
  if (rounds < pairsMin) progress(`${rounds} rounds cannot show a difference; ${pairsMin} are the least that can`);
  const other = await checkOut(ref, context.root, progress);
  let isSlower = false;
  try {
    for (const row of rows) {
      const pairs = await measurePairs(row, { rounds, context, otherRoot: other.root });
      const judgements = judgePairs(row, pairs, Math.random);
      process.stdout.write(describe(row, { ref, judgements, pairs }));
      isSlower ||= judgements.some(({ verdict }) => verdict === 'slower');
    }
  } finally {
    await other.remove();
  }
  return isSlower;
}

interface PairOptions {
  readonly rounds: number;
  readonly context: RowContext;
  readonly otherRoot: string;
}

async function measurePairs(row: Row, { rounds, context, otherRoot }: PairOptions): Promise<PairOfSamples[]> {
  const other = await row.openOurs({ ...context, root: otherRoot });
  try {
    const own = await row.openOurs(context);
    try {
      return await measureInTurn(row, { other, own, rounds, progress: context.progress });
    } finally {
      await own.close();
    }
  } finally {
    await other.close();
  }
}

interface TwoSides {
  readonly other: Side;
  readonly own: Side;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

async function measureInTurn(row: Row, { other, own, rounds, progress }: TwoSides): Promise<PairOfSamples[]> {
  await measureSide(other);
  await measureSide(own);
  const pairs: PairOfSamples[] = [];
  for (let at = 1; at <= rounds; at += 1) {
    const pair = { other: await measureSide(other), own: await measureSide(own) };
    pairs.push(pair);
    progress(
      `${row.id} round ${at}/${rounds}: other ${describeSample(row, pair.other)}; own ${describeSample(row, pair.own)}`,
    );
  }
  return pairs;
}

interface Outcome {
  readonly ref: string;
  readonly judgements: readonly Judgement[];
  readonly pairs: readonly PairOfSamples[];
}

function describe({ id, ours }: Row, { ref, judgements, pairs }: Outcome): string {
  const busiest = Math.max(...pairs.flatMap(({ other, own }) => [other.othersShare, own.othersShare]));
  const busy =
    busiest > 0.1 ? `  others used up to ${asPercent(busiest)} of the machine: trust CPU rather than rates\n` : '';
  const lines = judgements.map(({ metric, verdict, ratio, interval: [low, high], confidence }) => {
    const change = `${rounded(ratio)} × (95 %: ${rounded(low)} to ${rounded(high)})`;
    return `  ${metric}: ${verdict}, ${change}, difference with a confidence of ${(confidence * 100).toFixed(1)} %\n`;
  });
  return `${id}: this checkout against ${ref}, ${pairs.length} rounds; ${ours}\n${lines.join('')}${busy}`;
}
