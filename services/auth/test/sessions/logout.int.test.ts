import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;
let other: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
  other = await startAuth({ beside: auth });
});
afterAll(async () => {
  await other.stop();
  await auth.stop();
});

describe('204', () => {
  it('F69 ends the session: at once here, within 1 s in another process, for refresh too', async () => {
    const { token } = await auth.signUp();
    expect(await other.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 200 });
    expect(await auth.send('POST', '/v1/auth/logout', { token })).toMatchObject({ status: 204, text: '' });
    expect(await auth.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 401 });
    await eventually(async () => (await other.send('GET', '/v1/auth/me', { token })).status === 401, {
      withinMs: 1_000,
    });
    expect(await other.send('POST', '/v1/auth/refresh', { token })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
  });

  it('ends tokens that were replaced before', async () => {
    const { token } = await auth.signUp();
    const { body } = await auth.send<{ access_token: string }>('POST', '/v1/auth/refresh', { token });
    await auth.send('POST', '/v1/auth/logout', { token: body.access_token });
    expect(await auth.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 401 });
    expect(await auth.send('POST', '/v1/auth/refresh', { token })).toMatchObject({ status: 401 });
  });
});

describe('401', () => {
  it('refuses a session that has ended', async () => {
    const { token } = await auth.signUp();
    await auth.send('POST', '/v1/auth/logout', { token });
    expect(await auth.send('POST', '/v1/auth/logout', { token })).toMatchObject({ status: 401 });
  });
});

describe('403', () => {
  it('refuses an API key', async () => {
    const { token } = await auth.signUp();
    const { body } = await auth.send<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'k' } });
    expect(await auth.send('POST', '/v1/auth/logout', { token: body.key })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });
});
