import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAuth, type AuthUnderTest, type TokenBody } from '../support/auth-under-test.ts';

const path = '/v1/auth/login';
let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const login = (body: unknown) => auth.send<TokenBody>('POST', path, { body });

describe('200', () => {
  it('begins a session of its own each time', async () => {
    const { email, password, token } = await auth.signUp();
    const { status, body } = await login({ email: email.toUpperCase(), password });
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 });
    await auth.send('POST', '/v1/auth/logout', { token: body.access_token });
    expect(await auth.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 200 });
  });
});

describe('401', () => {
  it('gives the same answer for a wrong password and an unknown e-mail', async () => {
    const { email } = await auth.signUp();
    const wrong = await login({ email, password: 'not the password' });
    const unknown = await login({ email: 'nobody@example.com', password: 'not the password' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    const { request_id: _wrong, ...wrongBody } = wrong.body as unknown as Record<string, unknown>;
    const { request_id: _unknown, ...unknownBody } = unknown.body as unknown as Record<string, unknown>;
    expect(unknownBody).toEqual(wrongBody);
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
  });

  it('treats a password that could not be registered as a wrong one', async () => {
    const { email } = await auth.signUp();
    expect(await login({ email, password: 'x' })).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  });

  it('F76 takes SQL for text', async () => {
    const { email } = await auth.signUp();
    const answer = await login({ email, password: "' or '1'='1'; drop table auth.account; --" });
    expect(answer).toMatchObject({ status: 401 });
    expect(await auth.owner.query('select 1 from auth.account limit 1')).toHaveLength(1);
  });
});

describe('400', () => {
  it.each([
    ['no password', { email: 'a@example.com' }, '/password'],
    ['an empty password', { email: 'a@example.com', password: '' }, '/password'],
    ['an e-mail that is an object', { email: { $ne: '' }, password: 'x' }, '/email'],
  ])('refuses %s', async (_title, body, pointer) => {
    expect(await login(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });
});
