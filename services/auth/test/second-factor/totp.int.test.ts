import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Transaction } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { Secret, TOTP } from 'otpauth';
import { removeTotp } from '../../src/operator.ts';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';

const stepMs = 30_000;
const log = createLogger({ name: 'test', level: 'silent' });
const auth = authSuite({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });

interface Protected extends SignedUp {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The code that an authenticator app shows, some steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: auth.realTime.now() + steps * stepMs });

async function begin({ password, token }: SignedUp): Promise<string> {
  const begun = await auth.post<{ secret: string }>('/v1/auth/totp', { password }, token);
  expect(begun).toMatchObject({ status: 201 });
  return begun.body.secret;
}

const confirm = (token: string, code: string) =>
  auth.post<{ recovery_codes: readonly string[] }>('/v1/auth/totp/confirm', { code }, token);

async function protect(account: SignedUp): Promise<Protected> {
  const secret = await begin(account);
  const { status, body } = await confirm(account.token, codeOf(secret));
  expect(status).toBe(200);
  auth.realTime.advance(stepMs); // the code that confirmed is used up
  return { ...account, secret, recoveryCodes: body.recovery_codes };
}

const aliveSessions =
  'select 1 from auth.session join auth.account using (account_id) where email = $1 and ended_at is null';

/** Until a statement waits for a lock of this transaction. */
async function untilOneWaits(tx: Transaction): Promise<void> {
  const waiting = 'select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid';
  await eventually(async () => (await tx.query(waiting)).length > 0, { withinMs: 2_000 });
}

const signIn = ({ email, password }: SignedUp, factor: object = {}) => auth.login({ email, password, ...factor });
const state = ({ token }: SignedUp) => auth.send('GET', '/v1/auth/totp', { token });
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

beforeEach(() => {
  // In the middle of a step, so that no step ends between the making of a code and its use.
  auth.realTime.set((Math.floor(auth.realTime.now() / stepMs) + 2) * stepMs + stepMs / 2);
});

describe('F164 an account with a second factor', () => {
  it('is not opened by its password alone, and a stranger does not learn of the factor', async () => {
    const ada = await protect(await auth.signUp());
    expect(await signIn(ada)).toMatchObject(refusal(401, 'second_factor_required'));
    expect(await signIn(ada, { totp_code: null })).toMatchObject(refusal(401, 'second_factor_required'));
    expect(await signIn({ ...ada, password: 'a guess' })).toMatchObject(refusal(401, 'invalid_credentials'));
    const right = { totp_code: codeOf(ada.secret) };
    expect(await signIn({ ...ada, password: 'a guess' }, right)).toMatchObject(refusal(401, 'invalid_credentials'));
    expect(await signIn(ada, right)).toMatchObject({ status: 200 });
  });

  it.each([-1, 0, 1])('takes a code %d steps off', async (steps) => {
    const ada = await protect(await auth.signUp());
    auth.realTime.advance(stepMs); // the step before is unused too
    expect(await signIn(ada, { totp_code: codeOf(ada.secret, steps) })).toMatchObject({ status: 200 });
  });

  it.each([-2, 2])('refuses a code %d steps off', async (steps) => {
    const ada = await protect(await auth.signUp());
    auth.realTime.advance(2 * stepMs);
    const answer = await signIn(ada, { totp_code: codeOf(ada.secret, steps) });
    expect(answer).toMatchObject(refusal(401, 'invalid_second_factor'));
  });

  it('takes a code once, also when many send it at the same time', async () => {
    const ada = await protect(await auth.signUp());
    const code = { totp_code: codeOf(ada.secret) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(ada, code)));
    expect(statuses(answers)).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    expect(await signIn(ada, code)).toMatchObject(refusal(401, 'invalid_second_factor'));
    expect(await signIn(ada, { totp_code: codeOf(ada.secret, -1) })).toMatchObject({ status: 401 }); // an older code
    expect(await signIn(ada, { totp_code: codeOf(ada.secret, 1) })).toMatchObject({ status: 200 });
  });

  it('takes each of ten recovery codes once, however it is typed', async () => {
    const ada = await protect(await auth.signUp());
    expect(new Set(ada.recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = ada.recoveryCodes;
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(ada, { recovery_code: first })));
    expect(statuses(answers)).toEqual([200, 401, 401, 401]);
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ')}`;
    expect(await signIn(ada, { recovery_code: typed })).toMatchObject({ status: 200 });
    expect(await signIn(ada, { recovery_code: 'AAAAAA-AAAAAA-AAAAAA-AAAAAA' })).toMatchObject({ status: 401 });
    expect(await state(ada)).toMatchObject({ status: 200, body: { enabled: true, recovery_codes_left: 8 } });
  });

  it('is not opened by codes of another account', async () => {
    const [ada, bob] = [await protect(await auth.signUp()), await protect(await auth.signUp())];
    expect(await signIn(ada, { totp_code: codeOf(bob.secret) })).toMatchObject({ status: 401 });
    expect(await signIn(ada, { recovery_code: bob.recoveryCodes[0] })).toMatchObject({ status: 401 });
  });

  it('ends other sessions when it is confirmed, also those of sign-ins at that moment', async () => {
    const eve = await auth.signUp();
    const before = (await signIn(eve)).body.access_token;
    const secret = await begin(eve);
    const attempts = Array.from({ length: 8 }, () => signIn(eve));
    expect(await confirm(eve.token, codeOf(secret))).toMatchObject({ status: 200 });
    for (const { status, body } of await Promise.all(attempts))
      if (status === 200) await auth.untilRefused(body.access_token);
    await auth.untilRefused(before);
    expect(await auth.me(eve.token)).toMatchObject({ status: 200 });
    expect(await auth.owner.query(aliveSessions, [eve.email])).toHaveLength(1);
  });

  it('waits for a sign-in that is not committed yet, and ends its session', async () => {
    const eve = await auth.signUp();
    const secret = await begin(eve);
    let confirmed: ReturnType<typeof confirm> | undefined;
    await auth.owner.transaction(async (tx) => {
      await tx.query('select 1 from auth.account where email = $1 for share', [eve.email]); // as a sign-in does
      confirmed = confirm(eve.token, codeOf(secret));
      await untilOneWaits(tx);
      await tx.query(
        `insert into auth.session (session_id, account_id, token_id, token_expires_at, created_at, refreshed_at)
select gen_random_uuid(), account_id, gen_random_uuid(), now(), now(), now() from auth.account where email = $1`,
        [eve.email],
      );
    });
    expect(await confirmed).toMatchObject({ status: 200 });
    expect(await auth.owner.query(aliveSessions, [eve.email])).toHaveLength(1);
  });

  it('is seen by a sign-in that waited for its confirmation', async () => {
    const eve = await auth.signUp();
    await begin(eve);
    let signedIn: ReturnType<typeof signIn> | undefined;
    await auth.owner.transaction(async (tx) => {
      await tx.query('select 1 from auth.account where email = $1 for no key update', [eve.email]);
      signedIn = signIn(eve);
      await untilOneWaits(tx);
      await tx.query(
        `update auth.totp set confirmed_at = now(), last_step = 1
where account_id = (select account_id from auth.account where email = $1)`,
        [eve.email],
      );
    });
    expect(await signedIn).toMatchObject(refusal(401, 'second_factor_required'));
  });

  it('goes by real time, however far the sandbox clock is moved', async () => {
    const ada = await protect(await auth.signUp());
    auth.clock.advance(40 * 86_400_000);
    expect(await signIn(ada, { totp_code: codeOf(ada.secret) })).toMatchObject({ status: 200 });
  });

  it('keeps its secrets out of the database and the log', async () => {
    const ada = await protect(await auth.signUp());
    await signIn(ada, { totp_code: codeOf(ada.secret) });
    const [row] = await auth.owner.query<{ secret_sealed: Buffer }>(
      'select secret_sealed from auth.totp join auth.account using (account_id) where email = $1',
      [ada.email],
    );
    expect(row?.secret_sealed.includes(ada.secret)).toBe(false);
    expect(row?.secret_sealed.includes(Buffer.from(Secret.fromBase32(ada.secret).bytes))).toBe(false);
    const codes = await auth.owner.query<{ code_hash: Buffer }>('select code_hash from auth.recovery_code');
    for (const code of ada.recoveryCodes) {
      expect(codes.some(({ code_hash }) => code_hash.includes(code))).toBe(false);
      expect(auth.logged()).not.toContain(code);
    }
    expect(auth.logged()).not.toContain(ada.secret);
  });
});

describe('F164 an account without a second factor', () => {
  it('signs in as before, also with a code, and while a secret is not confirmed', async () => {
    const bob = await auth.signUp();
    expect(await state(bob)).toMatchObject({ body: { enabled: false, confirmed_at: null, recovery_codes_left: 0 } });
    expect(await signIn(bob)).toMatchObject({ status: 200 });
    expect(await signIn(bob, { totp_code: '123456' })).toMatchObject({ status: 200 });
    const secret = await begin(bob);
    expect(await signIn(bob)).toMatchObject({ status: 200 });
    expect(await confirm(bob.token, codeOf(secret, 5))).toMatchObject(refusal(401, 'invalid_second_factor'));
    expect(await signIn(bob)).toMatchObject({ status: 200 });
  });

  it('begins with the password alone, and a second beginning replaces the secret', async () => {
    const bob = await auth.signUp();
    expect(await auth.post('/v1/auth/totp', { password: 'a guess' }, bob.token)).toMatchObject(
      refusal(401, 'invalid_credentials'),
    );
    expect(await confirm(bob.token, '123456')).toMatchObject(refusal(404, 'not_found'));
    const [first, second] = [await begin(bob), await begin(bob)];
    expect(await confirm(bob.token, codeOf(first))).toMatchObject(refusal(401, 'invalid_second_factor'));
    expect(await confirm(bob.token, codeOf(second))).toMatchObject({ status: 200 });
    expect(await confirm(bob.token, codeOf(second, 1))).toMatchObject(refusal(409, 'totp_enabled'));
    const again = await auth.post('/v1/auth/totp', { password: bob.password }, bob.token);
    expect(again).toMatchObject(refusal(409, 'totp_enabled'));
  });
});

describe('F164 the second factor is removed', () => {
  const remove = ({ token, password }: SignedUp, factor: object = {}) =>
    auth.post('/v1/auth/totp/remove', { password, ...factor }, token);

  it('by the password with a code, never by one of them, and ends other sessions', async () => {
    const ada = await protect(await auth.signUp());
    const elsewhere = (await signIn(ada, { recovery_code: ada.recoveryCodes[0] })).body.access_token;
    expect(await remove(ada)).toMatchObject(refusal(401, 'second_factor_required'));
    expect(await remove(ada, { totp_code: codeOf(ada.secret, 9) })).toMatchObject({ status: 401 });
    const wrong = { ...ada, password: 'a guess' };
    expect(await remove(wrong, { totp_code: codeOf(ada.secret) })).toMatchObject(refusal(401, 'invalid_credentials'));
    expect(await remove(ada, { totp_code: codeOf(ada.secret) })).toMatchObject({ status: 204 });
    await auth.untilRefused(elsewhere);
    expect(await auth.me(ada.token)).toMatchObject({ status: 200 });
    expect(await signIn(ada)).toMatchObject({ status: 200 });
    expect(await signIn(ada, { recovery_code: ada.recoveryCodes[1] })).toMatchObject({ status: 200 }); // needs none
    expect(await remove(ada)).toMatchObject(refusal(404, 'not_found'));
  });

  it('by a recovery code, which is then used', async () => {
    const ada = await protect(await auth.signUp());
    expect(await remove(ada, { recovery_code: ada.recoveryCodes[0] })).toMatchObject({ status: 204 });
  });

  it('by the operator for an owner who lost the device, and all sessions end', async () => {
    const ada = await protect(await auth.signUp());
    await removeTotp(auth.config, { clock: auth.clock, log }, ada.email);
    await auth.untilRefused(ada.token);
    expect(await signIn(ada)).toMatchObject({ status: 200 });
    const again = removeTotp(auth.config, { clock: auth.clock, log }, ada.email);
    await expect(again).rejects.toMatchObject({ kind: 'not_found' });
    const unknown = removeTotp(auth.config, { clock: auth.clock, log }, 'nobody@example.com');
    await expect(unknown).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('F164 new recovery codes', () => {
  const replace = ({ token, password }: SignedUp, factor: object) =>
    auth.post<{ recovery_codes: readonly string[] }>('/v1/auth/recovery-codes', { password, ...factor }, token);

  it('need the password with a code, and void the earlier codes', async () => {
    const ada = await protect(await auth.signUp());
    expect(await replace(ada, {})).toMatchObject(refusal(401, 'second_factor_required'));
    const { status, body } = await replace(ada, { totp_code: codeOf(ada.secret) });
    expect([status, body.recovery_codes.length]).toEqual([200, 10]);
    expect(await signIn(ada, { recovery_code: ada.recoveryCodes[0] })).toMatchObject({ status: 401 });
    expect(await signIn(ada, { recovery_code: body.recovery_codes[0] })).toMatchObject({ status: 200 });
    expect(await replace(await auth.signUp(), {})).toMatchObject(refusal(404, 'not_found'));
  });
});

describe('F142 the audit trail', () => {
  it('has a row of each change, of each sign-in with its factor, and of each refusal', async () => {
    const ada = await protect(await auth.signUp());
    const proof = (recovery: string | undefined) => ({ password: ada.password, recovery_code: recovery });
    await signIn(ada);
    await signIn(ada, { totp_code: codeOf(ada.secret, 9) });
    await signIn(ada, { totp_code: codeOf(ada.secret) });
    await signIn(ada, { recovery_code: ada.recoveryCodes[0] });
    await auth.post('/v1/auth/recovery-codes', proof('wrong'), ada.token);
    const { body } = await auth.post<{ recovery_codes: readonly string[] }>(
      '/v1/auth/recovery-codes',
      proof(ada.recoveryCodes[1]),
      ada.token,
    );
    await auth.post('/v1/auth/totp/remove', proof(undefined), ada.token);
    await auth.post('/v1/auth/totp/remove', proof(body.recovery_codes[0]), ada.token);
    const rows = await auth.owner.query<{ action: string; actor: string; detail: object; text: string }>(
      `select action, actor, detail, act::text as text from audit.act join auth.account using (account_id)
where email = $1 and action <> 'account.registered' order by act_id`,
      [ada.email],
    );
    expect(rows.map(({ action, actor, detail }) => [action, actor, detail])).toEqual([
      ['second_factor.added', 'session', { sessions_ended: 0 }],
      ['account.signed_in', 'nobody', { code: 'second_factor_required' }],
      ['account.signed_in', 'nobody', { code: 'invalid_second_factor' }],
      ['account.signed_in', 'session', { factor: 'totp' }],
      ['account.signed_in', 'session', { factor: 'recovery_code' }],
      ['recovery_codes.replaced', 'session', { code: 'invalid_second_factor' }],
      ['recovery_codes.replaced', 'session', {}],
      ['second_factor.removed', 'session', { code: 'second_factor_required' }],
      ['second_factor.removed', 'session', { sessions_ended: 2 }],
    ]);
    for (const { text } of rows)
      for (const secret of [ada.secret, ...ada.recoveryCodes]) expect(text).not.toContain(secret);
  });
});

describe('F165 codes are throttled', () => {
  it('to 100 per day and account, from any address; a recovery code still works', async () => {
    const ada = await protect(await auth.signUp());
    const wrong = codeOf(ada.secret, 9);
    const tryFrom = (address: string, factor: object) =>
      auth.send('POST', '/v1/auth/login', {
        body: { email: ada.email, password: ada.password, ...factor },
        headers: { 'x-forwarded-for': address },
      });
    const found: number[] = [];
    for (let index = 0; index < 104; index += 1)
      found.push((await tryFrom(`203.0.113.${index}`, { totp_code: wrong })).status);
    expect(found).toEqual([...Array.from({ length: 100 }, () => 401), 429, 429, 429, 429]);
    const right = { totp_code: codeOf(ada.secret) };
    expect(await tryFrom('198.51.100.1', right)).toMatchObject(refusal(429, 'rate_limit_exceeded'));
    const recovery = { recovery_code: ada.recoveryCodes[0] };
    expect(await tryFrom('198.51.100.1', recovery)).toMatchObject({ status: 200 });
  });

  it('as passwords are, for an account and its address', async () => {
    const narrow = await auth.startBeside({ settings: { LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE: '3' } });
    const { token } = await auth.signUp();
    const answers: number[] = [];
    for (let index = 0; index < 5; index += 1)
      answers.push((await narrow.post('/v1/auth/totp/confirm', { code: '000000' }, token)).status);
    expect(answers).toEqual([404, 404, 404, 429, 429]);
  });
});
