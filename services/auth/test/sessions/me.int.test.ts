import { describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { authSuite, refusal } from '../support/auth-under-test.ts';

const auth = authSuite();

describe('200', () => {
  it('shows the account of an access token and of an API key, with times by the clock', async () => {
    auth.clock.freeze(true);
    const createdAt = toIso(auth.clock.now());
    const { email, token } = await auth.signUp();
    auth.clock.freeze(false);
    const answer = await auth.me(token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ account_id: expect.any(String), email, created_at: createdAt });
    const { key } = await auth.createKey(token);
    expect((await auth.me(key)).body).toEqual(answer.body);
  });

  it('gives each of many concurrent callers its own account, never another caller’s', async () => {
    const callers = await Promise.all(Array.from({ length: 8 }, () => auth.signUp()));
    const calls = Array.from({ length: 5 }, () => callers).flat();
    const answers = await Promise.all(calls.map(({ token }) => auth.me(token)));
    const expected = calls.map(({ email }) => ({ status: 200, body: expect.objectContaining({ email }) }));
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(expected);
  });
});

describe('401', () => {
  it('refuses a token from the second of its expiry on, by the movable clock', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    expect(await auth.me(token)).toMatchObject(refusal(401, 'unauthorized'));
  });
});
