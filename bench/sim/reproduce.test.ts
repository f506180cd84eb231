import { expect, it } from '@jest/globals';
import { createRandom } from '@tollgate/testkit/seeded-random';
import { createCores } from './cores.ts';
import { costs, stageCostsOf, type Costs } from './costs.ts';
import { createEventPath } from './event-path.ts';
import { reproduce } from './reproduce.ts';
import { simulate, twoCores } from './simulate.ts';
import { createSimulation } from './simulation.ts';

it.each([1, 2])('says every figure measured on two cores within 20 %%, and none is fitted (seed %d)', (seed) => {
  const rows = reproduce(costs, seed);
  expect(rows.map(({ name }) => name)).toEqual([
    'standalone single',
    'standalone batch',
    'standalone drain',
    'distributed single',
    'distributed batch',
    'distributed drain',
  ]);
  expect(rows.filter(({ off }) => Math.abs(off) > 0.2)).toEqual([]);
});

it.each([
  ['no price of a flush', { counting: { ...costs.counting, flushNodeMicros: 0, flushPostgresMicros: 0 } }],
  ['twice the price of a flush', { counting: { ...costs.counting, flushNodeMicros: 600, flushPostgresMicros: 1_200 } }],
])('says them whatever is put for what nobody measured: %s', (_, change) => {
  expect(offOf({ ...costs, ...change })).toEqual([]);
});

it.each([
  ['a third core', { machine: { ...costs.machine, cores: 3 } }],
  ['a pace of 50 ms between appends', { lanes: { ...costs.lanes, startsEveryMicros: 50_000 } }],
])('does not say them whatever it is told: %s', (_, change) => {
  expect(offOf({ ...costs, ...change })).not.toEqual([]);
});

it('a run depends on its seed alone', () => {
  const setup = {
    ...twoCores('distributed', 'single'),
    load: { kind: 'closed', connections: 128 },
    seconds: 2,
  } as const;
  expect(simulate(setup)).toEqual(simulate(setup));
  expect(simulate({ ...setup, seed: 2 })).not.toEqual(simulate(setup));
});

it.each(['standalone', 'distributed'] as const)('neither loses nor invents an event, %s', (shape) => {
  const simulation = createSimulation();
  const cores = createCores(simulation, { cores: 2, efficiency: 1 });
  const path = createEventPath(
    { simulation, cores, random: createRandom(5) },
    {
      stages: stageCostsOf(shape, 'single'),
      answerShare: 0.12,
      partitions: 4,
      processes: shape === 'standalone' ? 'one process' : { gateways: 3, aggregators: 2, redis: 1 },
      lanes: { startsEveryMicros: 8_000, pacedFromEvents: 16 },
      reader: { paceMicros: 40_000, eventsMax: 700, flushNode: 300, flushPostgres: 600 },
    },
  );
  path.preload(4_000);
  let answers = 0;
  for (let request = 1; request <= 3_000; request += 1)
    simulation.after(request * 1_500, () => path.post(7, () => void (answers += 1)));
  const seen = new Set<number>();
  for (let at = 1; at <= 900; at += 1) {
    simulation.runUntil(at * 5_000);
    seen.add(path.waiting());
    expect(path.accepted()).toBe(answers * 7);
    expect(path.counted() + path.waiting()).toBe(4_000 + path.accepted());
  }
  expect(seen.size).toBeGreaterThan(20); // it was looked at while much was under way
  simulation.runUntil(1e9);
  expect({ answers, counted: path.counted(), waiting: path.waiting() }).toEqual({
    answers: 3_000,
    counted: 25_000,
    waiting: 0,
  });
});

it('charges the CPU that was measured, to within 10 %', () => {
  for (const [name, { cpu }] of rowsOf(costs)) {
    const [shape, mode] = name.split(' ') as ['standalone', 'single']; // as the names of the rows are made
    const connections = mode === 'single' ? 128 : 16;
    const { cpuPerEvent } = simulate({ ...twoCores(shape, mode), load: { kind: 'closed', connections } });
    const measured = Object.values(cpu).reduce((sum, each) => sum + each, 0);
    expect({ name, isNear: Math.abs(cpuPerEvent / measured - 1) < 0.1 }).toEqual({ name, isNear: true });
  }
});

function offOf(changed: Costs): readonly string[] {
  return reproduce(changed)
    .filter(({ off }) => Math.abs(off) > 0.2)
    .map(({ name }) => name);
}

function rowsOf({ rows }: Costs): [string, { cpu: Readonly<Record<string, number>> }][] {
  return Object.entries(rows);
}
