import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

it('gives each of many concurrent callers its own account, never another one’s', async () => {
  const callers = await Promise.all(Array.from({ length: 8 }, () => auth.signUp()));
  const calls = Array.from({ length: 80 }, (_, index) => callers[index % callers.length]).filter(
    (caller) => caller !== undefined,
  );
  const answers = await Promise.all(
    calls.map(({ token }) => auth.send<{ email: string }>('GET', '/v1/auth/me', { token })),
  );
  expect(answers.map((answer) => answer.body.email)).toEqual(calls.map((caller) => caller.email));
});
