import { describe, expect, it } from '@jest/globals';
import { isLongLane } from '@tollgate/testkit/lane';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import { simulateCounting, type CountingSimulation } from '../support/counting-simulation/simulate-counting.ts';
import { UsageModel, type Omission } from '../support/counting-simulation/usage-model.ts';

const sizes = {
  /** With TEST_SIZE=large it takes five minutes and more. */
  large: { worlds: 10_000, steps: 1_000 },
  long: { worlds: 1_500, steps: 1_000 },
  usual: { worlds: 1_000, steps: 200 },
  small: { worlds: 60, steps: 200 },
};
const size = sizes[sizeName()];
const omissionWorldsMax = 200;

function sizeName(): keyof typeof sizes {
  const asked = process.env['TEST_SIZE'];
  if (asked === 'small' || asked === 'large') return asked;
  return isLongLane ? 'long' : 'usual';
}

interface Played {
  readonly sums: Readonly<Record<string, number>>;
  /** The first world in which something was wrong, by its own seed. */
  readonly wrong: (Pick<CountingSimulation, 'violations' | 'story'> & { readonly seed: number }) | undefined;
}

/** World after world, up to the first in which something is wrong. */
async function play(seeds: SeededRandom, { worlds, steps }: typeof size, without?: Omission): Promise<Played> {
  const sums: Record<string, number> = {};
  for (let played = 0; played < worlds; played += 1) {
    const random = seeds.fork();
    const { counts, violations, story } = await simulateCounting(random, { store: new UsageModel(without), steps });
    if (violations.length > 0) return { sums, wrong: { seed: random.seed, violations, story } };
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
    await givesWay();
  }
  return { sums, wrong: undefined };
}

/** A simulation runs in ticks alone: between two of them everything else has its turn. */
function givesWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('counting, by everything that can happen between gateways, log, aggregators and database', () => {
  it(`F05 F12 F13 F14 F17 F22 F24 F27 F28 F35 counts each event once in ${size.worlds} simulated worlds`, async () => {
    const { sums, wrong } = await play(seededRandom('counting simulation'), size);
    expect(wrong).toBeUndefined();
    for (const what of ['flushes refused', 'lost', 'unanswered', 'late', 'events dropped with their day'])
      expect({ [what]: (sums[what] ?? 0) > size.worlds / 50 }).toEqual({ [what]: true });
  }, 900_000);

  it('plays the same world again with its seed', async () => {
    const random = seededRandom('counting simulation, twice');
    const playIt = () => simulateCounting(random.again(), { store: new UsageModel(), steps: size.steps });
    expect(await playIt()).toEqual(await playIt());
  });

  it.each<[Omission, RegExp]>([
    ['cursor', /^a flush from \d+ was counted at cursor \d+/],
    ['keys', /"repeats":\d/],
  ])(
    'turns red at once without the %s',
    async (without, because) => {
      const seeds = seededRandom(`counting simulation without the ${without}`);
      const { wrong } = await play(seeds, { worlds: omissionWorldsMax, steps: size.steps }, without);
      expect(wrong?.violations.join('\n')).toMatch(because);
    },
    10_000,
  );
});
