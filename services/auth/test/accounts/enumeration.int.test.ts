import { expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { authSuite } from '../support/auth-under-test.ts';

const samples = 60; // fewer samples do not tell 10 % apart on a busy machine
const auth = authSuite();

async function timed(email: string): Promise<number> {
  const began = systemClock.monotonicMs();
  await auth.login({ email, password: 'wrong password' });
  return systemClock.monotonicMs() - began;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

it('F71 takes the same time for an unknown e-mail as for a wrong password: one argon2 call either way', async () => {
  const ada = await auth.signUp();
  const ratios: number[] = []; // a busy machine slows both of a pair, so their ratio stays
  for (let sample = 0; sample < samples; sample += 1) {
    const known = await timed(ada.email);
    ratios.push((await timed(`nobody${sample}@example.com`)) / known);
  }
  const ratio = median(ratios);
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
}, 60_000);
