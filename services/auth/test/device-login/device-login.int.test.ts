import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiDeviceLogin } from '@tollgate/contracts/accounts/device-login';
import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { setPassword } from '../../src/operator.ts';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite, operatorToken, refusal, type SignedUp, type TokenBody } from '../support/auth-under-test.ts';

const auth = authSuite({ settings: { PUBLIC_URL: 'https://tollgate.example' } });
let ada: SignedUp & { readonly id: string };
let asked: ApiDeviceLogin;

beforeEach(async () => {
  const account = await auth.signUp();
  ada = { ...account, id: (await auth.me(account.token)).body.account_id };
  asked = await ask();
});

const client = 'tollgate on a laptop';
const ask = async (body: object = { client }) => (await auth.post<ApiDeviceLogin>('/v1/auth/device', body)).body;
const redeem = ({ device_code }: { readonly device_code: string } = asked) =>
  auth.post<TokenBody & { code?: string; detail?: string }>('/v1/auth/device/token', { device_code });
const press = (answer: string, fields: Readonly<Record<string, string>> = {}) =>
  auth.send('POST', '/device', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    rawBody: new URLSearchParams({ user_code: asked.user_code, answer, ...fields }).toString(),
  });
const approve = (fields: Readonly<Record<string, string>> = {}) =>
  press('approve', { email: ada.email, password: ada.password, ...fields });
const sessionsOf = async (token: string) =>
  (await auth.send<{ total: number }>('GET', '/v1/auth/sessions', { token })).body.total;
const actsOf = () =>
  auth.owner.query<Record<string, unknown>>(
    `select action, result, actor, detail from audit.act where account_id = '${ada.id}' order by act_id`,
  );

describe('the sign-in of a program', () => {
  it('F241 gives the program one session of the account that approved it, once', async () => {
    expect(asked).toMatchObject({ verification_url: 'https://tollgate.example/device', expires_in: 600, interval: 5 });
    expect(await redeem()).toMatchObject(refusal(400, 'authorization_pending'));
    expect(await approve()).toMatchObject({ status: 200, text: expect.stringContaining('Approved') });
    const { status, body } = await redeem();
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 },
    ]);
    expect((await auth.me(body.access_token)).body).toMatchObject({ email: ada.email });
    expect(await redeem()).toMatchObject(refusal(400, 'expired_token'));
    expect((await auth.refresh(body.access_token)).status).toBe(200);
  });

  it('F241 gives one token to many who ask at once', async () => {
    await approve();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 400, 400, 400, 400, 400, 400, 400,
    ]);
  });

  it('F241 is approved by one of many who press at once, and nobody else is signed in', async () => {
    const pressed = await Promise.all(Array.from({ length: 4 }, () => approve()));
    expect(pressed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
    expect(await sessionsOf(ada.token)).toBe(2);
  });

  it('F241 is for nobody after it was refused, or after ten minutes, also if it was approved', async () => {
    expect(await press('refuse')).toMatchObject({ status: 200, text: expect.stringContaining('Refused') });
    expect(await redeem()).toMatchObject(refusal(400, 'access_denied'));
    expect(await approve()).toMatchObject({ status: 404 });

    const [late, approved] = [await ask(), await ask()];
    asked = approved;
    await approve();
    auth.realTime.advance(10 * minuteMs);
    for (const login of [late, approved]) expect(await redeem(login)).toMatchObject(refusal(400, 'expired_token'));
    asked = late;
    expect(await approve()).toMatchObject({ status: 404 });
    expect(await redeem({ device_code: 'device_guess' })).toMatchObject(refusal(400, 'expired_token'));
  });

  it('F241 ends with what ends sessions, also before its token is fetched', async () => {
    await approve();
    const options = { clock: auth.clock, log: createLogger({ name: 'test', level: 'silent' }) };
    await setPassword(auth.config, options, {
      email: ada.email,
      password: 'a wholly other horse',
      revokesApiKeys: false,
    });
    expect(await redeem()).toMatchObject(refusal(400, 'expired_token'));
  });

  it('F241 gives nothing while the account is suspended', async () => {
    await approve();
    await auth.send('POST', `/v1/operator/accounts/${ada.id}/suspend`, { token: operatorToken, body: { reason: 'x' } });
    expect(await redeem()).toMatchObject(refusal(403, 'account_suspended'));
    asked = await ask();
    expect(await approve()).toMatchObject({ status: 403, text: expect.stringContaining('suspended') });
  });

  it('F241 needs the password, and nothing of it is left of a wrong one', async () => {
    const wrong = await approve({ password: 'not the password' });
    expect(wrong).toMatchObject({ status: 403, text: expect.stringContaining('The e-mail or the password is wrong.') });
    expect(wrong.text).not.toContain('not the password');
    expect((await approve({ email: '', password: '' })).status).toBe(403);
    expect(await redeem()).toMatchObject(refusal(400, 'authorization_pending'));
    expect(await sessionsOf(ada.token)).toBe(1);
    expect((await approve()).status).toBe(200);
  });

  it('F241 leaves a row for the approval, and one for the token, each with its address', async () => {
    await approve({ password: 'not the password' });
    await approve();
    await redeem();
    expect((await actsOf()).slice(1)).toEqual([
      { action: 'account.signed_in', result: 'refused', actor: 'nobody', detail: { code: 'invalid_credentials' } },
      { action: 'device_login.approved', result: 'done', actor: 'session', detail: {} },
      { action: 'account.signed_in', result: 'done', actor: 'session', detail: { by: 'device_login' } },
    ]);
  });
});

describe('the codes of a sign-in', () => {
  it('F242 stand nowhere but hashed, and in no line of the log', async () => {
    await press('look');
    await approve();
    await redeem();
    const rows = JSON.stringify(await auth.owner.query('select * from auth.device_login'));
    for (const secret of [asked.device_code, asked.user_code, asked.user_code.replace('-', ''), ada.password]) {
      expect(rows).not.toContain(secret);
      expect(auth.logged()).not.toContain(secret);
    }
  });

  it('F242 make who asks too fast wait longer each time', async () => {
    expect(await redeem()).toMatchObject(refusal(400, 'authorization_pending'));
    const tooFast = await redeem();
    expect(tooFast).toMatchObject({
      status: 400,
      body: { code: 'slow_down', detail: expect.stringContaining('10 s') },
    });
    auth.realTime.advance(6_000);
    expect(await redeem()).toMatchObject({ body: { code: 'slow_down', detail: expect.stringContaining('15 s') } });
    auth.realTime.advance(15_000);
    expect(await redeem()).toMatchObject(refusal(400, 'authorization_pending'));
  });

  it('F242 are guessed no faster than passwords', async () => {
    const slow = await auth.startBeside({ settings: { LOGINS_PER_ADDRESS_PER_MINUTE: '3' } });
    const guess = () =>
      slow.send('POST', '/device', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        rawBody: 'user_code=BBBB-BBBB&answer=look',
      });
    const statuses = [await guess(), await guess(), await guess(), await guess()].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 429]);
    expect(await slow.post('/v1/auth/device', { client })).toMatchObject(refusal(429, 'rate_limit_exceeded'));
  });

  it('F242 are swept, with sessions that were approved and never fetched', async () => {
    await approve();
    const sweep = createSweepExpired({
      worker: auth.connectAs('auth_worker'),
      clock: auth.clock,
      realTime: auth.realTime,
      accessTokenTtlMs: 3_600_000,
    });
    expect(await sweep()).toMatchObject({ device_logins: 0 });
    expect(await sessionsOf(ada.token)).toBe(2);
    auth.realTime.advance(dayMs);
    const { device_logins: swept } = await sweep();
    expect(swept).toBeGreaterThan(0);
    expect(await auth.owner.query('select 1 from auth.device_login')).toEqual([]);
    expect(await sessionsOf(ada.token)).toBe(1);
  });
});

describe('the page', () => {
  it('runs no script, loads nothing, is framed by nobody and leads only here', async () => {
    for (const page of [await auth.send('GET', '/device'), await press('look')]) {
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect([page.headers.get('cache-control'), page.headers.get('set-cookie')]).toEqual(['no-store', null]);
      expect(page.text).not.toMatch(/<script|\son\w+=|(?:src|href)=/);
    }
  });

  it('says what asks and from where before it takes a password, and shows markup for what it is', async () => {
    asked = await ask({ client: '<img src=x> "&' });
    const { text } = await press('look', { email: '"><b>' });
    expect(text).toContain('&#60;img src=x&#62; &#34;&#38;');
    expect(text).toContain('<dd>127.0.0.1</dd>');
    expect(text).not.toContain('<b>');
  });

  it('takes the code as people type it, and has one answer for all that do not work', async () => {
    const typed = asked.user_code.toLowerCase().replace('-', ' ');
    expect((await press('look', { user_code: typed })).status).toBe(200);
    const unknown = await press('look', { user_code: 'BBBB-BBBB' });
    await press('refuse');
    const used = await press('look');
    expect([unknown.status, used.status, used.text]).toEqual([404, 404, unknown.text]);
  });

  it('refuses what is no form, an answer that no button gives, and a name that is no plain text', async () => {
    expect((await auth.post('/device', { answer: 'approve' })).status).toBe(415);
    expect((await press('maybe')).status).toBe(400);
    for (const name of ['', 'a\nb', 'x'.repeat(81), 'ad‮a'])
      expect(await auth.post('/v1/auth/device', { client: name })).toMatchObject(refusal(400, 'invalid_request'));
  });
});
