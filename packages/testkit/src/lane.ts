/**
 * Tests run in two lanes. Every landing runs the short one, `pnpm test`. `pnpm test --long` also runs the files named
 * `*.long.int.test.ts`, and some random tests run more worlds in it.
 */
export const isLongLane = process.env['TEST_LANE'] === 'long';

/** False also for a file that is run by its name: that one is run whole. */
export const isShortLane = process.env['TEST_LANE'] === 'short';
