import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { setPassword } from '../../src/operator.ts';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';

const newPassword = 'another horse, another battery';
const log = createLogger({ name: 'test', level: 'silent' });
const auth = authSuite({ settings: { PASSWORD_MIN_LENGTH: '10' } });
let ada: SignedUp;

beforeAll(async () => {
  ada = await auth.signUp();
});

const change = ({ token, password }: SignedUp, to = newPassword) =>
  auth.post('/v1/auth/password', { current_password: password, new_password: to }, token);
const setByOperator = (email: string, password = newPassword) =>
  setPassword(auth.config, { clock: auth.clock, log }, { email, password, revokesApiKeys: true });

describe('204', () => {
  it('changes the password and ends all other sessions, not this session and not the keys', async () => {
    const bob = await auth.signUp();
    const elsewhere = (await auth.login(bob)).body.access_token;
    const { key } = await auth.createKey(bob.token);
    expect(await change(bob)).toMatchObject({ status: 204, text: '' });
    await auth.untilRefused(elsewhere);
    expect(await auth.refresh(elsewhere)).toMatchObject({ status: 401 });
    expect(await auth.me(bob.token)).toMatchObject({ status: 200 });
    expect(await auth.me(key)).toMatchObject({ status: 200 });
    expect(await auth.login(bob)).toMatchObject({ status: 401 });
    expect(await auth.login({ ...bob, password: newPassword })).toMatchObject({ status: 200 });
  });

  it('F136 revokes the API keys too, if asked', async () => {
    const bob = await auth.signUp();
    const { key } = await auth.createKey(bob.token);
    const body = { current_password: bob.password, new_password: newPassword, revoke_api_keys: true };
    expect(await auth.post('/v1/auth/password', body, bob.token)).toMatchObject({ status: 204 });
    expect(await auth.me(key)).toMatchObject({ status: 401 });
    expect(await auth.me(bob.token)).toMatchObject({ status: 200 });
  });

  it('lets no sign-in with the old password outlive the change', async () => {
    const eve = await auth.signUp();
    const attempts = Array.from({ length: 8 }, () => auth.login(eve));
    const changed = change(eve);
    const signedIn = (await Promise.all(attempts)).filter(({ status }) => status === 200);
    expect(await changed).toMatchObject({ status: 204 });
    for (const { body } of signedIn) await auth.untilRefused(body.access_token);
    const alive = await auth.owner.query(
      `select session_id from auth.session join auth.account using (account_id) where email = $1 and ended_at is null`,
      [eve.email],
    );
    expect(alive).toHaveLength(1);
  });
});

describe('401', () => {
  it('refuses a wrong current password and changes nothing', async () => {
    expect(await change({ ...ada, password: 'not the password' })).toMatchObject(refusal(401, 'invalid_credentials'));
    expect(await auth.login(ada)).toMatchObject({ status: 200 });
  });

  it('lets one of two concurrent changes through', async () => {
    const bob = await auth.signUp();
    const answers = await Promise.all(['first new password', 'second new password'].map((to) => change(bob, to)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 401]));
  });
});

describe('400', () => {
  it.each([
    ['shorter than PASSWORD_MIN_LENGTH', () => 'nine char', 'too_short'],
    ['common', () => 'qwertyuiop', 'too_common'],
    ['the e-mail', () => ada.email, 'same_as_email'],
  ])('refuses a new password that is %s', async (_title, password, code) => {
    const errors = [{ pointer: '/new_password', code }];
    expect(await change(ada, password())).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
  });
});

describe('setPassword, for the operator', () => {
  it('F136 takes the e-mail as typed, and ends all sessions and keys of the account within 1 s', async () => {
    const { email, token } = await auth.signUp();
    const { key } = await auth.createKey(token);
    await setByOperator(` ${email.toUpperCase()} `);
    await auth.untilRefused(token);
    await auth.untilRefused(key);
    expect(await auth.login({ email, password: newPassword })).toMatchObject({ status: 200 });
  });

  it('refuses an e-mail without an account, and a password that breaks the rules', async () => {
    await expect(setByOperator('nobody@example.com')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(setByOperator('not an e-mail')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(setByOperator(ada.email, 'qwertyuiop')).rejects.toMatchObject({ kind: 'invalid' });
  });
});
