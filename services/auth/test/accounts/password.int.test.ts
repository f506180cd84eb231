import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
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

const liveSessionsOf = async (email: string) => {
  const live = 'select from auth.session join auth.account using (account_id) where email = $1 and ended_at is null';
  return (await auth.owner.query(live, [email])).length;
};

/** A failpoint: each transaction that made a session waits at its commit until it may go. */
async function holdSignIns() {
  const [held, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await auth.owner.query(`create schema failpoint;
    create function failpoint.wait() returns trigger language plpgsql security definer as
      'begin perform pg_advisory_xact_lock_shared(1); return null; end';
    create constraint trigger failpoint after insert on auth.session deferrable initially deferred
      for each row execute function failpoint.wait()`);
  const holding = auth.owner.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(1)');
    held.resolve();
    await mayGo.promise;
  });
  await held.promise;
  return {
    async letGo() {
      mayGo.resolve();
      await holding;
      await auth.owner.query('drop schema failpoint cascade');
    },
  };
}

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

  it('lets no sign-in with the old password outlive the change, not even one that was about to commit', async () => {
    const eve = await auth.signUp();
    const held = await holdSignIns();
    const signIn = auth.login(eve);
    await eventually(async () => (await auth.waitingForLocks()) === 1, { withinMs: 1_500 });
    let isChanged = false;
    const changed = change(eve).finally(() => (isChanged = true));
    await eventually(async () => isChanged || (await auth.waitingForLocks()) === 2, { withinMs: 1_500 });
    await held.letGo();
    expect(await changed).toMatchObject({ status: 204 });
    const { status, body } = await signIn;
    expect(status).toBe(200); // it was before the change, and ended with it
    expect(await auth.me(body.access_token)).toMatchObject({ status: 401 });
    expect(await liveSessionsOf(eve.email)).toBe(1);
  });

  it('lets none of eight sign-ins at once outlive the change', async () => {
    const eve = await auth.signUp();
    const attempts = Array.from({ length: 8 }, () => auth.login(eve));
    const changed = change(eve);
    const signedIn = (await Promise.all(attempts)).filter(({ status }) => status === 200);
    expect(await changed).toMatchObject({ status: 204 });
    for (const { body } of signedIn) await auth.untilRefused(body.access_token);
    expect(await liveSessionsOf(eve.email)).toBe(1);
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
  it('F136 takes the e-mail as typed, and ends all sessions and keys of the account', async () => {
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
