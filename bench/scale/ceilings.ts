import { costs as committed, efficiencyOf, stageCostsOf, type Costs, type Mode } from './costs.ts';
import type { Inputs } from './inputs.ts';
import { keyedPerSecondMax } from './key-room.ts';

/** The most events per second that one part carries when nothing else is short, and how that is computed. */
export interface Ceiling {
  readonly part: string;
  readonly arithmetic: string;
  readonly eventsPerSecond: number;
}

export function ceilingsOf(mode: Mode, inputs: Inputs, costs: Costs = committed): readonly Ceiling[] {
  const { plan } = inputs;
  const efficiency = efficiencyOf(costs);
  const standalone = costs.rows[`standalone ${mode}`].cpu['node'] ?? 0;
  const cpu = cpuOf(mode, costs);
  const partition = partitionMicros(mode, costs);
  const thread = (part: string, micros: number): Ceiling => ({
    part,
    arithmetic: `${round(efficiency)} / ${micros} µs`,
    eventsPerSecond: (efficiency * 1e6) / micros,
  });
  const machine = (part: string, count: number, micros: number): Ceiling => ({
    part,
    arithmetic: `${count} × ${round(efficiency)} / ${round(micros)} µs`,
    eventsPerSecond: (count * efficiency * 1e6) / micros,
  });
  const partitions = costs.counting.partitions.distributed;
  return [
    {
      part: "one PostgreSQL's table of keys",
      arithmetic: `${plan.keyPartitions} × ${plan.gigabytesPerKeyPartition} GB / ${costs.bytes.keyInTable} bytes / ${plan.keyDaysInTable} days`,
      eventsPerSecond: keyedPerSecondMax(inputs, costs),
    },
    thread("standalone's one thread", standalone),
    thread('one gateway', cpu('gateway')),
    { part: 'one partition', arithmetic: `1 / ${round(partition)} µs`, eventsPerSecond: 1e6 / partition },
    {
      part: `one aggregator with ${partitionsPerAggregator} partitions`,
      arithmetic: `1 / ${round(aggregatorMicros(mode, costs))} µs`,
      eventsPerSecond: 1e6 / aggregatorMicros(mode, costs),
    },
    {
      part: `the default of ${partitions} partitions`,
      arithmetic: `${partitions} / ${round(partition)} µs`,
      eventsPerSecond: (partitions * 1e6) / partition,
    },
    thread('one Redis', cpu('redis')),
    machine(`one PostgreSQL of ${plan.coresPerPostgres} cores`, plan.coresPerPostgres, cpu('postgres')),
    {
      part: "one PostgreSQL's write-ahead log",
      arithmetic: `${plan.walMegabytesPerSecondPerPostgres} MB/s / ${costs.bytes.walPerEvent} bytes`,
      eventsPerSecond: (plan.walMegabytesPerSecondPerPostgres * 1e6) / costs.bytes.walPerEvent,
    },
    machine(
      `3 brokers of ${plan.coresPerBroker} cores, ${plan.copiesOfLog} copies`,
      3 * plan.coresPerBroker,
      cpu('kafka') * plan.copiesOfLog,
    ),
  ].toSorted((a, b) => a.eventsPerSecond - b.eventsPerSecond);
}

/** CPU per event of a process of the distributed shape, as it was measured. */
export function cpuOf(mode: Mode, costs: Costs = committed): (name: string) => number {
  return (name) => costs.rows[`distributed ${mode}`].cpu[name] ?? 0;
}

/** A partition has one flush at a time: what one event more of it takes, in microseconds of time. */
export function partitionMicros(mode: Mode, costs: Costs = committed): number {
  const { fetch, countNode, countPostgres } = stageCostsOf('distributed', mode, costs);
  return (fetch + countNode + countPostgres) / efficiencyOf(costs);
}

/** Steps plan with one aggregator for as many partitions as the default has. */
export const partitionsPerAggregator = 4;

/**
 * Returns the microseconds of time that one event more takes an aggregator. A round of all its partitions is a fetch,
 * their flushes in one thread of Node, one after the other, and the last of them in PostgreSQL, which nothing else of
 * the round hides.
 */
export function aggregatorMicros(mode: Mode, costs: Costs = committed): number {
  const { fetch, countPostgres } = stageCostsOf('distributed', mode, costs);
  const node = cpuOf(mode, costs)('aggregator');
  return (fetch + node + countPostgres / partitionsPerAggregator) / efficiencyOf(costs);
}

const round = (value: number): string => value.toPrecision(3);
