import { expect, it } from '@jest/globals';
import { createRandom } from '@tollgate/testkit/seeded-random';
import { createCores } from './cores.ts';
import { createSimulation, type Simulation } from './simulation.ts';
import { createThread } from './thread.ts';

const serviceMicros = 100;
const arrivals = 120_000;
const tolerance = 0.05; // of the mean; the seed is fixed, so a run is either right for ever or wrong for ever

type Work = (cpuMicros: number, done: () => void) => void;
interface Queue {
  /** Share of the capacity that is asked for. */
  readonly load: number;
  readonly isExponential: boolean;
  readonly cores: number;
  readonly open: (simulation: Simulation, cores: ReturnType<typeof createCores>) => Work;
}

const oneThread: Queue['open'] = (_, cores) => createThread(cores).run;
const shared: Queue['open'] = (_, cores) => cores.spend;

it.each([0.4, 0.7])('M/M/1 in order of arrival at load %d: time = service / (1 - load)', (load) => {
  const { meanTime } = run({ load, isExponential: true, cores: 1, open: oneThread });
  expectNear(meanTime, serviceMicros / (1 - load));
});

it.each([0.4, 0.7])('M/D/1 in order of arrival at load %d: half the waiting of M/M/1', (load) => {
  const { meanTime } = run({ load, isExponential: false, cores: 1, open: oneThread });
  expectNear(meanTime, serviceMicros * (1 + load / (2 * (1 - load))));
});

it.each([true, false])('one shared core does not care how services are spread (exponential: %s)', (isExponential) => {
  const { meanTime } = run({ load: 0.7, isExponential, cores: 1, open: shared });
  expectNear(meanTime, serviceMicros / (1 - 0.7));
});

it('two shared cores are M/M/2: time = service / (1 - load²)', () => {
  const { meanTime } = run({ load: 0.7, isExponential: true, cores: 2, open: shared });
  expectNear(meanTime, serviceMicros / (1 - 0.7 ** 2));
});

it("holds Little's law: those inside on average = arrivals per time × time inside", () => {
  const { meanTime, meanInside, arrivalsPerMicro } = run({ load: 0.8, isExponential: true, cores: 2, open: shared });
  expect(Math.abs(meanInside / (arrivalsPerMicro * meanTime) - 1)).toBeLessThan(1e-9);
});

it('spends the CPU that was asked for, and all who came have left', () => {
  const { asked, spent, left } = run({ load: 0.8, isExponential: true, cores: 2, open: shared });
  expect(Math.abs(spent / asked - 1)).toBeLessThan(1e-9);
  expect(left).toBe(arrivals);
});

it('gives each of three threads two thirds of its speed on two cores, and all of it to the last one', () => {
  const simulation = createSimulation();
  const cores = createCores(simulation, { cores: 2, efficiency: 0.5 });
  const ends: number[] = [];
  for (const cpuMicros of [100, 100, 200]) cores.spend(cpuMicros, () => ends.push(simulation.now()));
  simulation.runUntil(1e4);
  expect(ends.map(Math.round)).toEqual([300, 300, 500]); // 100 at a third each, then 100 more at half
});

it('a thread does one thing after the other, even on idle cores', () => {
  const simulation = createSimulation();
  const thread = createThread(createCores(simulation, { cores: 8, efficiency: 1 }));
  const ends: number[] = [];
  for (const cpuMicros of [50, 10, 40]) thread.run(cpuMicros, () => ends.push(simulation.now()));
  simulation.runUntil(1e4);
  expect(ends.map(Math.round)).toEqual([50, 60, 100]);
});

/** Runs until all have left. The area under the number of those inside is added up by itself, at each change. */
function run({ load, isExponential, cores: count, open }: Queue) {
  const simulation = createSimulation();
  const cores = createCores(simulation, { cores: count, efficiency: 1 });
  const random = createRandom(20_261_125);
  const work = open(simulation, cores);
  const exponential = (mean: number): number => -Math.log(1 - random.next()) * mean;
  const sums = { asked: 0, time: 0, area: 0, left: 0, inside: 0, changedAt: 0 };

  function change(by: number): void {
    sums.area += sums.inside * (simulation.now() - sums.changedAt);
    sums.inside += by;
    sums.changedAt = simulation.now();
  }

  function arrive(left: number): void {
    if (left === 0) return;
    simulation.after(exponential(serviceMicros / (load * count)), () => {
      const cpuMicros = isExponential ? exponential(serviceMicros) : serviceMicros;
      const cameAt = simulation.now();
      sums.asked += cpuMicros;
      change(1);
      work(cpuMicros, () => {
        change(-1);
        sums.left += 1;
        sums.time += simulation.now() - cameAt;
      });
      arrive(left - 1);
    });
  }

  arrive(arrivals);
  simulation.runUntil(1e12);
  const { asked, time, area, left, changedAt } = sums;
  return {
    asked,
    left,
    spent: cores.spent(),
    meanTime: time / left,
    meanInside: area / changedAt,
    arrivalsPerMicro: arrivals / changedAt,
  };
}

function expectNear(actual: number, expected: number): void {
  expect(Math.abs(actual / expected - 1)).toBeLessThan(tolerance);
}
