import { figureOf, type Sample } from './measure-side.ts';
import type { Bound, Row, Sizes } from './row.ts';
import { medianOf, relativeWidth, rounded, spreadOf, type Spread } from './statistics.ts';

/** One round: the ceiling first, then ours. */
export interface Round {
  readonly ceiling?: Sample;
  readonly ours: Sample;
}

export interface Verdict {
  readonly goal: string;
  readonly ceiling: ({ readonly what: string; readonly unit: string; readonly moved: number } & Spread) | null;
  readonly figure: { readonly what: string; readonly unit: string } & Spread;
  /** Ours divided by the ceiling, in each round by itself. */
  readonly ratio: Spread | null;
  /** The width of the ratio, or of the figure where there is no ceiling, as a share of its median. */
  readonly spread: number;
  /** Null: the goal is a ratio, and the row has no ceiling. */
  readonly met: boolean | null;
  /** Rounds that others disturbed, and that were taken again. */
  readonly disturbedRounds: number;
  /** Rounds left out since the machine was faster or slower in them: chosen by their ceiling alone. */
  readonly movedRounds: number;
  /** Why these rounds prove nothing; absent where they do. */
  readonly void?: readonly string[];
  /** The sizes below those of the claim: the rounds are valid, and say less. */
  readonly smaller?: readonly string[];
  /** Medians over the rounds. */
  readonly cpuMicrosPerEvent: { readonly ours: CpuByProcess; readonly ceiling: CpuByProcess | null };
  readonly rounds: readonly Round[];
}

type CpuByProcess = Readonly<Record<string, number>>;

/** A ceiling that moved further, or others that used more, say that the machine was doing something else. */
const ceilingMovedMax = 0.1;
const othersShareMax = 0.1;
const roundsMin = 5;

export interface Rounds {
  readonly rounds: readonly Round[];
  readonly disturbedRounds: number;
  readonly movedRounds: number;
}

export function judgeRow(row: Row, { rounds, disturbedRounds, movedRounds }: Rounds, sizes: Sizes = {}): Verdict {
  const figure = spreadOf(rounds.map((round) => figureOf(row, round.ours)));
  const against = compareWithCeiling(row, rounds);
  const voidReasons = findVoidReasons(row, rounds, against?.ceiling);
  const smaller = findSmallSizes(row, sizes);
  return {
    goal: describeGoal(row),
    ceiling: against ? describeCeiling(row, against.ceiling) : null,
    figure: { what: row.ours, unit: row.unit, ...roundedSpread(figure) },
    ratio: against ? roundedSpread(against.ratio) : null,
    spread: rounded(relativeWidth(against?.ratio ?? figure)),
    met: isMet(row, { figure: figure.median, ratio: against?.ratio.median }),
    disturbedRounds,
    movedRounds,
    ...named('void', voidReasons),
    ...named('smaller', smaller),
    cpuMicrosPerEvent: {
      ours: medianCpu(rounds.map((round) => round.ours)),
      ceiling: against ? medianCpu(against.samples) : null,
    },
    rounds,
  };
}

function named(name: 'void' | 'smaller', reasons: readonly string[]): Pick<Verdict, 'void' | 'smaller'> {
  return reasons.length > 0 ? { [name]: reasons } : {};
}

interface AgainstCeiling {
  readonly samples: readonly Sample[];
  readonly ceiling: Spread;
  readonly ratio: Spread;
}

function compareWithCeiling(row: Row, rounds: readonly Round[]): AgainstCeiling | undefined {
  const pairs = rounds.flatMap(({ ours, ceiling }) => (ceiling ? [{ ours, ceiling }] : []));
  if (pairs.length === 0) return undefined;
  return {
    samples: pairs.map(({ ceiling }) => ceiling),
    ceiling: spreadOf(pairs.map(({ ceiling }) => figureOf(row, ceiling))),
    ratio: spreadOf(pairs.map(({ ours, ceiling }) => figureOf(row, ours) / figureOf(row, ceiling))),
  };
}

function describeCeiling({ ceiling: what = '', unit }: Row, ceiling: Spread): Verdict['ceiling'] {
  return { what, unit, moved: rounded(relativeWidth(ceiling)), ...roundedSpread(ceiling) };
}

export function describeGoal({ goal, unit }: Pick<Row, 'goal' | 'unit'>): string {
  const [sign, bound] = 'atLeast' in goal.bound ? ['≥', goal.bound.atLeast] : ['≤', goal.bound.atMost];
  return goal.of === 'ratio' ? `${sign} ${bound} × ceiling` : `${sign} ${bound} ${unit}`;
}

function isMet({ goal }: Row, { figure, ratio }: { figure: number; ratio: number | undefined }): boolean | null {
  const value = goal.of === 'figure' ? figure : ratio;
  return value === undefined ? null : isWithin(goal.bound, value);
}

function isWithin(bound: Bound, value: number): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

function findVoidReasons(row: Row, rounds: readonly Round[], ceiling: Spread | undefined): string[] {
  const reasons: string[] = [];
  if (rounds.length < roundsMin) reasons.push(`${rounds.length} rounds, and ${roundsMin} are the least that count`);
  const moved = ceiling === undefined ? 0 : relativeWidth(ceiling);
  if (moved > ceilingMovedMax) reasons.push(`the ceiling moved by ${asPercent(moved)}`);
  const disturbed = rounds.filter((round) => isDisturbed(row, round)).map(busiestShare);
  if (disturbed.length > 0)
    reasons.push(`others used ${asPercent(Math.max(...disturbed))} of the machine in one of the rounds`);
  return reasons;
}

/** Whether others used too much of the machine. Says nothing about the figures of the round, so it may choose rounds. */
export function isDisturbed({ isUnmovedByOthers = false }: Row, round: Round): boolean {
  return !isUnmovedByOthers && busiestShare(round) > othersShareMax;
}

/** Returns the `count` rounds whose ceilings are closest to each other. The figures of ours have no say. */
export function steadiestRounds(row: Row, rounds: readonly Round[], count: number): readonly Round[] {
  const byCeiling = rounds.toSorted((a, b) => ceilingOf(row, a) - ceilingOf(row, b));
  const windows = byCeiling.slice(0, Math.max(1, byCeiling.length - count + 1)).map((_round, at) => {
    const chosen = byCeiling.slice(at, at + count);
    return { chosen, moved: relativeWidth(spreadOf(chosen.map((round) => ceilingOf(row, round)))) };
  });
  const steadiest = windows.reduce((best, window) => (window.moved < best.moved ? window : best));
  return rounds.filter((round) => steadiest.chosen.includes(round)); // in the order in which they were taken
}

export function hasMoved(row: Row, rounds: readonly Round[]): boolean {
  return relativeWidth(spreadOf(rounds.map((round) => ceilingOf(row, round)))) > ceilingMovedMax;
}

/** One that is not there does not move. */
function ceilingOf(row: Row, { ceiling }: Round): number {
  return ceiling === undefined ? 1 : figureOf(row, ceiling);
}

function busiestShare({ ours, ceiling = ours }: Round): number {
  return Math.max(ours.othersShare, ceiling.othersShare);
}

function findSmallSizes({ fullSize = {} }: Row, sizes: Sizes): string[] {
  return Object.entries(fullSize).flatMap(([name, full]) => {
    const size = sizes[name as keyof Sizes]; // a key of fullSize, which is of that type
    return size !== undefined && size < full ? [`at ${size} of ${full} ${name}`] : [];
  });
}

export function asPercent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function medianCpu(samples: readonly Sample[]): CpuByProcess {
  const names = new Set(samples.flatMap(({ cpuMicrosPerEvent }) => Object.keys(cpuMicrosPerEvent)));
  const medians = [...names].map((name) => [
    name,
    rounded(medianOf(samples.map(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent[name] ?? 0))),
  ]);
  const load = rounded(medianOf(samples.map(({ loadMicrosPerEvent }) => loadMicrosPerEvent)));
  return { ...(Object.fromEntries(medians) as Record<string, number>), 'load generator': load }; // pairs of name and number
}

function roundedSpread({ min, median, max }: Spread): Spread {
  return { min: rounded(min), median: rounded(median), max: rounded(max) };
}
