import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { startAuth, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';

const samples = 60; // 300 from the minutes size on; fewer do not tell 10 % apart on a busy machine
let auth: AuthUnderTest;
let ada: SignedUp;

beforeAll(async () => {
  auth = await startAuth();
  ada = await auth.signUp();
});
afterAll(() => auth.stop());

async function timed(email: string): Promise<number> {
  const began = systemClock.monotonicMs();
  await auth.send('POST', '/v1/auth/login', { body: { email, password: 'wrong password' } });
  return systemClock.monotonicMs() - began;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

it('F71 takes the same time for an unknown e-mail as for a wrong password: one argon2 call either way', async () => {
  const ratios: number[] = []; // of each to the one before it: a machine is busy for longer than for both
  for (let sample = 0; sample < samples; sample += 1) {
    const known = await timed(ada.email);
    ratios.push((await timed(`nobody${sample}@example.com`)) / known);
  }
  const ratio = median(ratios);
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
}, 60_000);
