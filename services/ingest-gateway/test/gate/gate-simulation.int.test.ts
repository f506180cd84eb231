import { describe, expect, it } from '@jest/globals';
import { isLongLane } from '@tollgate/testkit/lane';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { simulateGate } from '../support/gate/simulate-gate.ts';

/** More by hand: `GATE_WORLDS=100 GATE_STEPS=10000`. Each world prints its figures. */
const worlds = Number(process.env['GATE_WORLDS'] ?? (isLongLane ? 20 : 4));
const steps = Number(process.env['GATE_STEPS'] ?? 600);

describe('F320 random steps of gateways that hold, capture, release and settle, and die at any statement', () => {
  const seeds = seededRandom('gate simulation');

  // Forked here: a world is the same whether those before it run or not.
  it.each(Array.from({ length: worlds }, (_, index) => ({ world: index + 1, random: seeds.fork() })))(
    'spend never more than a cap, and in the end exactly what is rated, with nothing held: world $world',
    async ({ random }) => {
      const { differences, counted, died, ...figures } = await simulateGate(random, { steps });
      print({ seed: random.seed, counted, died, ...figures });
      expect(differences).toEqual([]);
      expect(counted).toBeGreaterThan(20);
      expect(died).toBeGreaterThan(20);
      expect(figures.inLines).toBeGreaterThan(5);
    },
    300_000 + steps * 100,
  );
});

/** Straight to standard error: jest's console would hide it until the file ends. */
function print(figures: object): void {
  const said = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stderr.write(`gate simulation: ${said.join(', ')}\n`);
}
