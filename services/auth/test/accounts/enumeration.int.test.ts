import { expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { authSuite } from '../support/auth-under-test.ts';

const samples = 300;
/** A busy machine may spoil a series, while a difference of the product is in each of them. */
const seriesMax = 3;
const differenceMax = 0.1;
const auth = authSuite();

async function timed(email: string): Promise<number> {
  const began = systemClock.monotonicMs();
  expect((await auth.login({ email, password: 'wrong password' })).status).toBe(401);
  return systemClock.monotonicMs() - began;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Measures by how much the medians of interleaved samples differ. The order changes, since the second of a pair may be
 * the faster.
 */
async function differenceOf(known: string): Promise<number> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let sample = 0; sample < samples; sample += 1) {
    for (const kind of sample % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const))
      times[kind].push(await timed(kind === 'known' ? known : `nobody${sample}@example.com`));
  }
  return Math.abs(median(times.unknown) / median(times.known) - 1);
}

it('F71 takes the same time for an unknown e-mail as for a wrong password: the medians differ by less than 10 %', async () => {
  const { email } = await auth.signUp();
  const differences: number[] = [];
  do differences.push(await differenceOf(email));
  while (Math.min(...differences) >= differenceMax && differences.length < seriesMax);
  expect(Math.min(...differences)).toBeLessThan(differenceMax);
});
