import { readFileSync } from 'node:fs';

/** All times are microseconds of CPU, unless the name says otherwise. `costs.json` says where each figure is from. */
export interface Costs {
  readonly machine: { readonly cores: number; readonly echoPerSecond: number; readonly echoCpuMicros: number };
  readonly rows: Readonly<Record<RowName, MeasuredRow>>;
  readonly drains: Readonly<Record<Shape, number>>;
  readonly counting: {
    readonly cpuMicros: number;
    readonly flushNodeMicros: number;
    readonly flushPostgresMicros: number;
    readonly paceStandaloneMicros: number;
    readonly flushDistributedSingle: number;
    readonly partitions: number;
  };
  readonly flushes: { readonly standaloneEventsMax: number; readonly distributedEventsMax: number };
  readonly shares: {
    readonly answerOfNode: number;
    readonly lookUpOfPostgres: number;
    readonly produceOfKafka: number;
  };
  readonly client: { readonly cpuMicros: number };
  readonly calibrated: { readonly row: string; readonly flushWaitMicros: number };
  readonly bytes: {
    readonly walPerEvent: number;
    readonly recordInLog: number;
    readonly keyInTable: number;
    readonly keyInFile: number;
    readonly memoryPerArchivedKey: number;
  };
  readonly closing: { readonly pairs: number; readonly seconds: number };
}

export type Shape = 'standalone' | 'distributed';
export type Mode = 'single' | 'batch';
export type RowName = `${Shape} ${Mode}`;

interface MeasuredRow {
  readonly accepted: number;
  readonly cpu: Readonly<Record<string, number>>;
}

export const costs: Costs = JSON.parse(readFileSync(new URL('costs.json', import.meta.url), 'utf8')) as Costs;

/** What one event costs at each station. */
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
  const marginal = countingOf(all);
  const cpuOf = (name: string): number => all.rows[`${shape} ${mode}`].cpu[name] ?? 0;
  const accepting = cpuOf('postgres') - marginal.postgres - flushPostgresMicros / flush;
  if (shape === 'standalone') {
    return {
      gateway: cpuOf('node') - marginal.node - flushNodeMicros / flush,
      redis: 0,
      lookUp: accepting * all.shares.lookUpOfPostgres,
      append: accepting * (1 - all.shares.lookUpOfPostgres),
      fetch: 0,
      countNode: marginal.node,
      countPostgres: marginal.postgres,
    };
  }
  return {
    gateway: cpuOf('gateway'),
    redis: cpuOf('redis'),
    lookUp: accepting,
    append: cpuOf('kafka') * all.shares.produceOfKafka,
    fetch: cpuOf('kafka') * (1 - all.shares.produceOfKafka),
    countNode: cpuOf('aggregator') - flushNodeMicros / flush,
    countPostgres: marginal.postgres,
  };
}

/** What one more event in a large flush costs: the aggregator's figure is of the distributed shape, the rest of 49 is PostgreSQL's. */
function countingOf(all: Costs): { readonly node: number; readonly postgres: number } {
  const aggregator = all.rows['distributed batch'].cpu['aggregator'] ?? 0;
  const node = aggregator - all.counting.flushNodeMicros / eventsPerFlush('distributed', 'batch', all);
  return { node, postgres: all.counting.cpuMicros - node };
}

/** A partition's share of what comes in one pace. */
function eventsPerFlush(shape: Shape, mode: Mode, all: Costs): number {
  const perPartition = all.rows[`${shape} ${mode}`].accepted / all.counting.partitions;
  return (perPartition * paceMicrosOf(shape, all)) / 1e6;
}

/** Standalone waits on purpose. Of Kafka's reader, the size of a flush was measured, and says how often it flushed. */
export function paceMicrosOf(shape: Shape, all: Costs = costs): number {
  const { paceStandaloneMicros, flushDistributedSingle, partitions } = all.counting;
  if (shape === 'standalone') return paceStandaloneMicros;
  return (flushDistributedSingle * partitions * 1e6) / all.rows['distributed single'].accepted;
}

/** The part of a core that a thread gets when it is never idle: the echo's own, on the same machine. */
export function efficiencyOf({ machine }: Costs = costs): number {
  return (machine.echoPerSecond * machine.echoCpuMicros) / 1e6;
}

/** Cores that auth and billing take all the time, whatever comes in. */
export function idleCoresOf(shape: Shape, all: Costs = costs): number {
  const { accepted, cpu } = all.rows[`${shape} single`];
  return (accepted * (cpu['others'] ?? 0)) / 1e6;
}
