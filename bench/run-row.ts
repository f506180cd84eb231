import {
  asPercent,
  hasMoved,
  isDisturbed,
  judgeRow,
  steadiestRounds,
  type Round,
  type Rounds,
  type Verdict,
} from './judge-row.ts';
import { figureOf, measureSide, type Sample } from './measure-side.ts';
import type { Row, RowContext, Side } from './row.ts';
import { rounded } from './statistics.ts';

export interface JudgedRow {
  readonly row: Row;
  readonly verdict: Verdict;
}

/**
 * Opens both sides of the rows of one run, warms up those that are cold, and measures them in turn: ceiling, ours, ceiling,
 * ours, … All rows are judged from the same rounds.
 */
export async function runRows(rows: RowsOfRun, context: RowContext, rounds: number): Promise<JudgedRow[]> {
  const [row] = rows;
  for (const { id, ours } of rows) context.progress(`${id}: ${ours}`);
  const ours = await row.openOurs(context);
  try {
    const ceiling = await row.openCeiling?.(context, ours);
    try {
      const measured = await measureRounds(row, { ours, ceiling, rounds, progress: context.progress });
      return rows.map((each) => ({ row: each, verdict: judgeRow(each, measured, context.sizes) }));
    } finally {
      await ceiling?.close();
    }
  } finally {
    await ours.close();
  }
}

/** At least one. */
export type RowsOfRun = readonly [Row, ...Row[]];

export function groupByRun(rows: readonly Row[]): RowsOfRun[] {
  return [...Map.groupBy(rows, ({ id, run }) => run ?? id).values()].flatMap(([first, ...others]): RowsOfRun[] =>
    first === undefined ? [] : [[first, ...others]],
  );
}

/** As many times as there are to be rounds. */
const takenMax = 3;

interface Sides {
  readonly ours: Side;
  readonly ceiling: Side | undefined;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/**
 * A round that others disturbed is taken again, as often as there are rounds; after that it stands, and the run is void. A
 * shared machine also changes its speed. So more rounds are taken until the ceilings of enough of them are close to each
 * other, thrice as many at most.
 */
async function measureRounds(row: Row, { ours, ceiling, rounds, progress }: Sides): Promise<Rounds> {
  for (const side of [ceiling, ours]) if (side && side.isWarm !== true) await measureSide(side);
  const done: Round[] = [];
  let disturbedRounds = 0;
  while (!isEnough(row, done, rounds)) {
    const round: Round = {
      ...(ceiling ? { ceiling: await measureSide(ceiling) } : {}),
      ours: await measureSide(ours),
    };
    const isTakenAgain = isDisturbed(row, round) && disturbedRounds < rounds;
    if (isTakenAgain) disturbedRounds += 1;
    else done.push(round);
    progress(
      `${row.id} ${isTakenAgain ? 'disturbed round' : `round ${done.length}/${rounds}`}: ${describeRound(row, round)}`,
    );
  }
  const steadiest = steadiestRounds(row, done, rounds);
  return { rounds: steadiest, disturbedRounds, movedRounds: done.length - steadiest.length };
}

function isEnough(row: Row, done: readonly Round[], rounds: number): boolean {
  if (done.length < rounds) return false;
  return done.length >= takenMax * rounds || !hasMoved(row, steadiestRounds(row, done, rounds));
}

function describeRound(row: Row, { ceiling, ours }: Round): string {
  const own = `ours ${describeSample(row, ours)}`;
  if (ceiling === undefined) return own;
  const ratio = figureOf(row, ours) / figureOf(row, ceiling);
  return `ceiling ${describeSample(row, ceiling)}; ${own}; ratio ${rounded(ratio)}`;
}

export function describeSample(row: Row, sample: Sample): string {
  const cpu = Object.entries(sample.cpuMicrosPerEvent).map(([name, micros]) => `${name} ${rounded(micros)}`);
  return `${rounded(figureOf(row, sample)).toLocaleString('en-US')} ${row.unit} (µs per event: ${cpu.join(', ')}; others ${asPercent(sample.othersShare)})`;
}
