import type { Result } from '../result-files.ts';
import { medianOf, rounded } from '../statistics.ts';
import type { Costs, MeasuredDrain, MeasuredRow, Mode, RowName, Shape } from './costs.ts';
import { eventsPerRequest } from './simulate.ts';

const rowsOfCosts: Readonly<Record<RowName, string>> = {
  'standalone single': 'R8a',
  'standalone batch': 'R8c',
  'distributed single': 'R8b',
  'distributed batch': 'R8d',
};
const drainsOfCosts: Readonly<Record<Shape, string>> = { standalone: 'R3', distributed: 'R3b' };

/** The costs with what the committed results of these rows say. Medians over the rounds; the other costs stay. */
export function takeCosts(costs: Costs, resultOf: (id: string) => Result | undefined): Costs {
  const taken = (id: string): Result => {
    const result = resultOf(id);
    if (result === undefined) throw new Error(`${id} was never taken: pnpm bench ${id}`);
    return result;
  };
  return {
    ...costs,
    machine: { ...echoOf(taken(rowsOfCosts['standalone single'])), cores: costs.machine.cores },
    rows: mapValues(rowsOfCosts, (id, name) => toRow(taken(id), name)),
    drains: mapValues(drainsOfCosts, (id) => toDrain(taken(id))),
  };
}

function echoOf(result: Result) {
  const ceilings = result.rounds.flatMap(({ ceiling }) => (ceiling === undefined ? [] : [ceiling]));
  const { echo } = result.cpuMicrosPerEvent.ceiling ?? {};
  if (echo === undefined) throw new Error(`${result.id} has no CPU of the echo`);
  return {
    source: sourceOf(result),
    echoPerSecond: rounded(medianOf(ceilings.map(({ value }) => value))),
    echoCpuMicros: echo,
  };
}

function toRow(result: Result, name: RowName): MeasuredRow & { readonly source: string } {
  const mode = name.split(' ').at(-1) as Mode; // as the names of the rows are made
  const { 'load generator': client = 0, ...cpu } = result.cpuMicrosPerEvent.ours;
  return {
    source: sourceOf(result),
    accepted: rounded(medianOf(result.rounds.map(({ ours }) => ours.value))),
    cpu: renamed(cpu),
    clientMicros: rounded(client * eventsPerRequest[mode]),
  };
}

function toDrain(result: Result): MeasuredDrain & { readonly source: string } {
  const { 'load generator': _client, ...cpu } = result.cpuMicrosPerEvent.ours;
  return { source: sourceOf(result), counted: rounded(result.figure.median), cpu: renamed(cpu) };
}

const names: Readonly<Record<string, string>> = {
  standalone: 'node',
  'ingest-gateway-1': 'gateway',
  'aggregator-1': 'aggregator',
  'kafka-1': 'kafka',
  aggregator: 'aggregator',
  postgres: 'postgres',
  redis: 'redis',
};

/** Processes that no event passes through are `others`. */
function renamed(cpu: Readonly<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [process, micros] of Object.entries(cpu)) {
    const name = names[process] ?? 'others';
    sums[name] = rounded((sums[name] ?? 0) + micros);
  }
  return sums;
}

function sourceOf({ id, commit, measuredAt, rounds }: Result): string {
  return `${id}, measured ${measuredAt.slice(0, 10)} at ${commit}, ${rounds.length} rounds`;
}

function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  to: (value: From, key: Key) => To,
): Record<Key, To> {
  const entries = Object.entries(record) as [Key, From][];
  return Object.fromEntries(entries.map(([key, value]) => [key, to(value, key)])) as Record<Key, To>; // the same keys
}
