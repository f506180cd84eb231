import { readFileSync } from 'node:fs';

/** All times are microseconds of CPU, unless the name says otherwise. `costs.json` says where each figure is from. */
export interface Costs {
  readonly machine: { readonly echoPerSecond: number; readonly echoCpuMicros: number };
  readonly rows: Readonly<Record<RowName, MeasuredRow>>;
  readonly drains: Readonly<Record<Shape, MeasuredDrain>>;
  readonly counting: {
    readonly flushNodeMicros: number;
    readonly flushPostgresMicros: number;
    /** Time between two looks of a reader that finds much. */
    readonly paceMicros: Readonly<Record<Shape, number>>;
    readonly partitions: Readonly<Record<Shape, number>>;
  };
  readonly bytes: {
    readonly walPerEvent: number;
    readonly recordInLog: number;
    readonly keyInTable: number;
    readonly memoryPerArchivedKey: number;
  };
  readonly closing: { readonly pairs: number; readonly seconds: number };
}

export type Shape = 'standalone' | 'distributed';
export type Mode = 'single' | 'batch';
export type RowName = `${Shape} ${Mode}`;

export interface MeasuredRow {
  readonly accepted: number;
  readonly cpu: CpuByProcess;
}

export interface MeasuredDrain {
  readonly counted: number;
  readonly cpu: CpuByProcess;
}

type CpuByProcess = Readonly<Record<string, number>>;

export const costs: Costs = JSON.parse(readFileSync(new URL('costs.json', import.meta.url), 'utf8')) as Costs;

/** The cost of one event at each station. */
export interface StageCosts {
  readonly gateway: number;
  readonly redis: number;
  readonly lookUp: number;
  readonly append: number;
  readonly fetch: number;
  readonly countNode: number;
  readonly countPostgres: number;
}

/** Splits what was measured per process into stations, by the arithmetic that docs/scale.md shows. */
export function stageCostsOf(shape: Shape, mode: Mode, all: Costs = costs): StageCosts {
  const { flushNodeMicros, flushPostgresMicros } = all.counting;
  const flush = eventsPerFlush(shape, mode, all);
  const counting = (name: string): number => all.drains[shape].cpu[name] ?? 0; // in flushes so large that their price vanishes
  const cpuOf = (name: string): number => all.rows[`${shape} ${mode}`].cpu[name] ?? 0;
  const accepting = cpuOf('postgres') - counting('postgres') - flushPostgresMicros / flush;
  if (shape === 'standalone') {
    return {
      gateway: cpuOf('node') - counting('aggregator') - flushNodeMicros / flush,
      redis: 0,
      lookUp: 0, // one statement looks keys up and appends
      append: accepting,
      fetch: 0,
      countNode: counting('aggregator'),
      countPostgres: counting('postgres'),
    };
  }
  return {
    gateway: cpuOf('gateway'),
    redis: cpuOf('redis'),
    lookUp: Math.max(0, accepting), // a drain fills its tables, so that its counting may cost more than all of the row's
    append: cpuOf('kafka') - counting('kafka'),
    fetch: counting('kafka'),
    countNode: cpuOf('aggregator') - flushNodeMicros / flush,
    countPostgres: counting('postgres'),
  };
}

/** A partition's share of what comes in one pace. */
function eventsPerFlush(shape: Shape, mode: Mode, { rows, counting }: Costs): number {
  return ((rows[`${shape} ${mode}`].accepted / counting.partitions[shape]) * counting.paceMicros[shape]) / 1e6;
}

/** The part of a core that a thread gets when it is never idle: the echo's own, on the same machine. */
export function efficiencyOf({ machine }: Costs = costs): number {
  return (machine.echoPerSecond * machine.echoCpuMicros) / 1e6;
}
