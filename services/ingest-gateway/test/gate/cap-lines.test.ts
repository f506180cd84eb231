import { expect, it } from '@jest/globals';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { simulateLines, type LinesSimulation } from '../support/gate/simulate-lines.ts';

/** More by hand: `LINE_WORLDS=100000`. */
const worlds = Number(process.env['LINE_WORLDS'] ?? 150);
const steps = 60;

it('F254 calls under prices that step, fall or begin free pass no cap in any order, and none is refused that fits', () => {
  const seeds = seededRandom('lines of caps');
  const sums = { asked: 0, held: 0, inLines: 0, hadToFit: 0 };
  for (let world = 1; world <= worlds; world += 1) {
    const random = seeds.fork();
    const found = simulateLines(random, steps);
    expect({ seed: random.seed, differences: found.differences }).toEqual({ seed: random.seed, differences: [] });
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += figure(found, name);
  }
  process.stderr.write(`lines of caps: ${JSON.stringify({ worlds, ...sums })}\n`);
  expect(sums.inLines).toBeGreaterThan(sums.held / 4);
  expect(sums.hadToFit).toBeGreaterThan(worlds);
});

function figure(found: LinesSimulation, name: Exclude<keyof LinesSimulation, 'differences'>): number {
  return found[name];
}
