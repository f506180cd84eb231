import { describe, expect, it } from '@jest/globals';
import { isLongLane } from '@tollgate/testkit/lane';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { simulateMoney } from '../support/money-simulation/simulate-money.ts';

const worlds = isLongLane ? 10 : 2;
const stepsEach = 1_000;

describe('1,000 random steps with money in each of some worlds, whose process dies again and again', () => {
  const seeds = seededRandom('money simulation');

  // Forked here: a world is the same whether those before it run or not.
  it.each(Array.from({ length: worlds }, (_, index) => ({ world: index + 1, random: seeds.fork() })))(
    'F45 F50 F51 F52 F53 F56 F264 drift by no micro-dollar from plain sums: world $world',
    async ({ random }) => {
      const { differences, driftMicros, steps, died } = await simulateMoney(random, {
        steps: stepsEach,
        compareEvery: 50,
      });
      expect(differences).toEqual([]);
      expect(driftMicros).toBe(0n);
      expect(steps).toBe(stepsEach);
      expect(died).toBeGreaterThan(50);
    },
    300_000,
  );
});
