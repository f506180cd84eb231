import type { SeededRandom } from './seeded-random.ts';

/**
 * Tests run in two lanes. Every landing runs the short one, `pnpm test`. `pnpm test --long` also runs the files named
 * `*.long.int.test.ts`, and some random tests run more worlds in it.
 */
export const isLongLane = process.env['TEST_LANE'] === 'long';

/** False also for a file that is run by its name: that one is run whole. */
const isShortLane = process.env['TEST_LANE'] === 'short';

/** One of each three items, beginning with any, where a landing runs; else all. A few items give at least one. */
export function someInLanding<Item>(items: readonly Item[], random: SeededRandom): readonly Item[] {
  if (!isShortLane) return items;
  const first = random.integer(0, 2) % Math.max(1, items.length);
  return items.filter((_, index) => index % 3 === first);
}
