import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { systemClock, toIso } from '@tollgate/kernel/clock';

/** One thing to time: does its work once and answers how many items it did and how long that took. */
export type Round = () => Promise<{ readonly items: number; readonly seconds: number }>;

export interface RatioBenchmark {
  readonly id: string;
  /** What is measured, in words, with its unit. */
  readonly ours: string;
  readonly ceiling: string;
  readonly goal: number;
  readonly rounds?: number;
  readonly runOurs: Round;
  readonly runCeiling: Round;
}

interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

const roundsDefault = 5;
/** A ceiling that moves more than this says that the machine was doing something else: the run is void. */
const ceilingSpreadMax = 0.1;

/** Ceiling and ours in turn (A B A B …), each round's ratio from its own pair; writes bench/results/<id>.json. */
export async function measureRatio(benchmark: RatioBenchmark): Promise<void> {
  const { id, ours, ceiling, goal, rounds = roundsDefault } = benchmark;
  await benchmark.runCeiling(); // warm up both
  await benchmark.runOurs();
  const rates: { ceiling: number; ours: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const top = rate(await benchmark.runCeiling());
    const own = rate(await benchmark.runOurs());
    rates.push({ ceiling: top, ours: own });
    process.stdout.write(
      `${id} round ${round}/${rounds}: ceiling ${show(top)}/s, ours ${show(own)}/s, ratio ${(own / top).toFixed(2)}\n`,
    );
  }
  const ceilingSpread = spreadOf(rates.map((pair) => pair.ceiling));
  const moved = (ceilingSpread.max - ceilingSpread.min) / ceilingSpread.median;
  await writeResult(id, {
    ours: { what: ours, perSecond: spreadOf(rates.map((pair) => pair.ours)) },
    ceiling: { what: ceiling, perSecond: ceilingSpread, moved: round(moved) },
    ratio: spreadOf(rates.map((pair) => round(pair.ours / pair.ceiling))),
    goal,
    isVoid: moved > ceilingSpreadMax,
  });
}

/** Figures without a ceiling, e.g. a delay. */
export async function writeResult(id: string, figures: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = new URL('results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const result = {
    id,
    measuredAt: toIso(systemClock.now()),
    command: `pnpm bench ${id}`,
    ...(await describeMachine()),
    ...figures,
  };
  await writeFile(new URL(`${id}.json`, folder), `${JSON.stringify(result, undefined, 2)}\n`);
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = systemClock.monotonicMs();
  await work();
  return (systemClock.monotonicMs() - started) / 1_000;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
  return { min: at(0), median: at(0.5), max: at(1) };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function rate({ items, seconds }: Awaited<ReturnType<Round>>): number {
  return items / seconds;
}

function show(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en-US');
}

function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toFixed(3));
}

async function describeMachine(): Promise<object> {
  const lock = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return {
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: {
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      memoryGiB: round(totalmem() / 2 ** 30),
      platform: process.platform,
    },
    versions: { tollgate: lock.version, node: process.version, postgres: '18' },
  };
}
