import { expect, it } from '@jest/globals';

import { seededRandom } from './seeded-random.ts';

it('spreads whole numbers evenly, with both bounds included', () => {
  const random = seededRandom('test', 7);
  const counts = new Map<number, number>();
  for (let i = 0; i < 30_000; i += 1) {
    const rolled = random.integer(1, 3);
    counts.set(rolled, (counts.get(rolled) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(400); // five standard deviations
});
