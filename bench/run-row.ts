import { asPercent, judgeRow, type Round, type Verdict } from './judge-row.ts';
import { figureOf, measureSide, type Sample } from './measure-side.ts';
import type { Row, RowContext, Side } from './row.ts';
import { rounded } from './statistics.ts';

/** Opens both sides, warms them up, and measures them in turn: ceiling, ours, ceiling, ours, … */
export async function runRow(row: Row, context: RowContext, rounds: number): Promise<Verdict> {
  context.progress(`${row.id}: ${row.ours}`);
  const ours = await row.openOurs(context);
  try {
    const ceiling = await row.openCeiling?.(context, ours);
    try {
      return judgeRow(
        row,
        await measureRounds(row, { ours, ceiling, rounds, progress: context.progress }),
        context.sizes,
      );
    } finally {
      await ceiling?.close();
    }
  } finally {
    await ours.close();
  }
}

interface Sides {
  readonly ours: Side;
  readonly ceiling: Side | undefined;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

async function measureRounds(row: Row, { ours, ceiling, rounds, progress }: Sides): Promise<Round[]> {
  if (ceiling) await measureSide(ceiling);
  await measureSide(ours);
  const done: Round[] = [];
  for (let at = 1; at <= rounds; at += 1) {
    const round: Round = {
      ...(ceiling ? { ceiling: await measureSide(ceiling) } : {}),
      ours: await measureSide(ours),
    };
    done.push(round);
    progress(`${row.id} round ${at}/${rounds}: ${describeRound(row, round)}`);
  }
  return done;
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
