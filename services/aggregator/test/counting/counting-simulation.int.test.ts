import { beforeAll, expect, it } from '@jest/globals';
import { isLongLane } from '@tollgate/testkit/lane';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import { countingFixture } from '../support/counting-fixture.ts';
import { createRealStore, putMeasuredPrice } from '../support/counting-simulation/real-store.ts';
import { simulateCounting } from '../support/counting-simulation/simulate-counting.ts';
import type { SimulatedStore } from '../support/counting-simulation/simulated-store.ts';
import { UsageModel } from '../support/counting-simulation/usage-model.ts';

const worlds = isLongLane ? 200 : 60;
const steps = 200;

const fixture = countingFixture();
beforeAll(() => putMeasuredPrice(fixture.owner));

it(`F12 F13 F14 F27 F35 PostgreSQL and the model of it come to the same rows in ${worlds} worlds of the simulation`, async () => {
  const seeds = seededRandom('counting simulation on PostgreSQL');
  for (let played = 0; played < worlds; played += 1) {
    const random = seeds.fork();
    const modelled = await play(random.again(), new UsageModel());
    const real = await play(random.again(), await createRealStore(fixture));
    expect({ seed: random.seed, ...real }).toEqual({ seed: random.seed, ...modelled });
    expect(real.violations).toEqual([]);
  }
}, 600_000);

async function play(random: SeededRandom, store: SimulatedStore) {
  const { rows, ...found } = await simulateCounting(random, { store, steps });
  const sorted = Object.entries(rows).map(([table, lines]) => ({ table, lines: lines.toSorted() }));
  return { ...found, sorted };
}
