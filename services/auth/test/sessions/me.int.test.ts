import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

describe('200', () => {
  it('tells the account of an access token, with times by the clock', async () => {
    auth.clock.freeze(true);
    const createdAt = toIso(auth.clock.now());
    const { email, token } = await auth.signUp();
    auth.clock.freeze(false);
    const answer = await auth.send('GET', '/v1/auth/me', { token });
    expect(answer).toMatchObject({ status: 200, body: { email, created_at: createdAt } });
    expect(Object.keys(answer.body).toSorted()).toEqual(['account_id', 'created_at', 'email']);
  });

  it('tells the same account for its API key', async () => {
    const { token } = await auth.signUp();
    const { body } = await auth.send<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'k' } });
    const byKey = await auth.send('GET', '/v1/auth/me', { token: body.key });
    expect(byKey.status).toBe(200);
    expect(byKey.body).toEqual((await auth.send('GET', '/v1/auth/me', { token })).body);
  });
});

describe('401', () => {
  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['another scheme', 'Basic YTpi'],
    ['a bearer without a token', 'Bearer'],
    ['an unknown API key', 'Bearer tg_live_00000000000000000000000000000000000000'],
  ])('refuses %s', async (_title, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await auth.send('GET', '/v1/auth/me', { headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('refuses a token from the second of its expiry on, by the movable clock', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    expect(await auth.send('GET', '/v1/auth/me', { token })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
  });
});
