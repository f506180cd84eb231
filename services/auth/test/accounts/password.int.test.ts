import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startAuth, type AuthUnderTest, type SignedUp, type TokenBody } from '../support/auth-under-test.ts';

const path = '/v1/auth/password';
const newPassword = 'another horse, another battery';
let auth: AuthUnderTest;
let ada: SignedUp;

beforeAll(async () => {
  auth = await startAuth({ settings: { PASSWORD_MIN_LENGTH: '10' } });
  ada = await auth.signUp();
});
afterAll(() => auth.stop());

const change = (token: string, body: unknown) => auth.send('POST', path, { token, body });
const login = (email: string, password: string) =>
  auth.send<TokenBody>('POST', '/v1/auth/login', { body: { email, password } });
const meStatus = async (token: string) => (await auth.send('GET', '/v1/auth/me', { token })).status;

describe('204', () => {
  it('changes the password and ends all other sessions, not this one and not the keys', async () => {
    const bob = await auth.signUp();
    const elsewhere = (await login(bob.email, bob.password)).body.access_token;
    const { body: apiKey } = await auth.send<{ key: string }>('POST', '/v1/api-keys', {
      token: bob.token,
      body: { name: 'k' },
    });
    expect(await change(bob.token, { current_password: bob.password, new_password: newPassword })).toMatchObject({
      status: 204,
      text: '',
    });
    await eventually(async () => (await meStatus(elsewhere)) === 401, { withinMs: 1_000 });
    expect(await auth.send('POST', '/v1/auth/refresh', { token: elsewhere })).toMatchObject({ status: 401 });
    expect(await meStatus(bob.token)).toBe(200);
    expect(await meStatus(apiKey.key)).toBe(200);
    expect(await login(bob.email, bob.password)).toMatchObject({ status: 401 });
    expect(await login(bob.email, newPassword)).toMatchObject({ status: 200 });
  });

  it('lets no sign-in with the old password outlive the change', async () => {
    const eve = await auth.signUp();
    const attempts = Array.from({ length: 8 }, () => login(eve.email, eve.password));
    const changed = change(eve.token, { current_password: eve.password, new_password: newPassword });
    const tokens = (await Promise.all(attempts)).flatMap((answer) =>
      answer.status === 200 ? [answer.body.access_token] : [],
    );
    expect(await changed).toMatchObject({ status: 204 });
    for (const token of tokens) await eventually(async () => (await meStatus(token)) === 401, { withinMs: 1_000 });
    const alive = await auth.owner.query(
      `select session_id from auth.session join auth.account using (account_id) where email = $1 and ended_at is null`,
      [eve.email],
    );
    expect(alive).toHaveLength(1);
  });
});

describe('401', () => {
  it('refuses a wrong current password and changes nothing', async () => {
    const answer = await change(ada.token, { current_password: 'not the password', new_password: newPassword });
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(await login(ada.email, ada.password)).toMatchObject({ status: 200 });
  });

  it('lets one of two concurrent changes through', async () => {
    const bob = await auth.signUp();
    const answers = await Promise.all(
      ['first new password', 'second new password'].map((password) =>
        change(bob.token, { current_password: bob.password, new_password: password }),
      ),
    );
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual(['204', '401']);
  });
});

describe('400', () => {
  it.each([
    ['shorter than PASSWORD_MIN_LENGTH', 'nine char'],
    ['common', 'qwertyuiop'],
  ])('refuses a new password that is %s', async (_title, password) => {
    const answer = await change(ada.token, { current_password: ada.password, new_password: password });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/new_password' }] },
    });
  });

  it('refuses the e-mail as new password', async () => {
    const answer = await change(ada.token, { current_password: ada.password, new_password: ada.email });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/new_password', code: 'same_as_email' }] },
    });
  });
});

describe('403', () => {
  it('refuses an API key', async () => {
    const { body } = await auth.send<{ key: string }>('POST', '/v1/api-keys', {
      token: ada.token,
      body: { name: 'k' },
    });
    const answer = await change(body.key, { current_password: ada.password, new_password: newPassword });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});
