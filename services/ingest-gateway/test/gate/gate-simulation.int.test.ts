import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { simulateGate } from '../support/gate/simulate-gate.ts';

const worlds = 4;
const steps = 400;

describe('random steps of gateways that hold, capture, release and settle, and die at any statement', () => {
  const seeds = seededRandom('gate simulation');

  // Forked here: a world is the same whether those before it run or not.
  it.each(Array.from({ length: worlds }, (_, index) => ({ world: index + 1, random: seeds.fork() })))(
    'spend never more than a cap, and in the end exactly what is rated, with nothing held: world $world',
    async ({ random }) => {
      const { differences, counted, died } = await simulateGate(random, { steps });
      expect(differences).toEqual([]);
      expect(counted).toBeGreaterThan(20);
      expect(died).toBeGreaterThan(20);
    },
    300_000,
  );
});
