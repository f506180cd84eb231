import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { rotateSigningKey, runAfterRestore } from '../../src/operator.ts';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite, operatorToken, type SignedUp } from '../support/auth-under-test.ts';
import {
  builderId,
  createOAuthClient,
  issuer,
  putTool,
  redirectUri,
  resource,
  type OAuthClient,
} from '../support/oauth-client.ts';

const auth = authSuite({ settings: { PUBLIC_URL: `${issuer}/` } });
let ada: SignedUp & { readonly id: string };
let client: OAuthClient;

beforeAll(async () => {
  await putTool(auth, { toolId: 'forecast' });
  await putTool(auth, { toolId: 'history', price: '0.01' });
});

beforeEach(async () => {
  const account = await auth.signUp();
  ada = { ...account, id: (await auth.me(account.token)).body.account_id };
  client = await createOAuthClient(auth);
});

const passes = () =>
  auth.owner.query<Record<string, unknown>>(
    `select p.*, g.grant_id, g.ended_at from gate.pass p join auth.oauth_grant g using (pass_id)
     where p.account_id = '${ada.id}' order by g.created_at`,
  );
const acts = () =>
  auth.owner.query<Record<string, unknown>>(
    `select action, result, actor, detail from audit.act where account_id = '${ada.id}' order by act_id`,
  );
const revokePass = () =>
  auth.owner.query(`update gate.pass set revoked_at = now() where account_id = '${ada.id}' and revoked_at is null`);
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('a client', () => {
  it('finds the server, registers, and gets a token of the pass to which a person consents', async () => {
    const paths = ['oauth-authorization-server', 'openid-configuration'];
    for (const path of paths)
      expect(await (await fetch(`${auth.baseUrl}/.well-known/${path}`)).json()).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        scopes_supported: ['tollgate:spend'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_details_types_supported: ['tollgate_spend'],
        authorization_response_iss_parameter_supported: true,
      });
    const page = await client.signIn(ada);
    expect(page.text).toContain('Let Weather agent spend your money?');
    const answer = await client.browser.press(page, 'allow', { cap_usd: '7', per_call_max_usd: '0.05' });
    const returned = answer.leavesTo?.searchParams;
    expect([answer.leavesTo?.origin, returned?.get('state'), returned?.get('iss')]).toEqual([
      'http://127.0.0.1:4711',
      'the state',
      issuer,
    ]);
    const { status, body } = await client.redeem(returned?.get('code'));
    expect([status, body]).toMatchObject([
      200,
      { expires_in: 3_600, token_type: 'Bearer', scope: 'tollgate:spend', refresh_token: expect.any(String) },
    ]);
    const [pass] = await passes();
    expect(Object.keys(decodeProtectedHeader(body.access_token)).toSorted()).toEqual(['alg', 'kid', 'typ']);
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    const claims = decodeJwt(body.access_token);
    expect(claims).toEqual({
      iss: issuer,
      aud: resource,
      sub: ada.id,
      client_id: client.clientId,
      pass_id: pass?.['pass_id'],
      scope: 'tollgate:spend',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 3_600,
    });
    expect(pass).toMatchObject({
      name: 'Weather agent',
      tool_ids: ['forecast', 'history'],
      cap_micros: 7_000_000n,
      cap_window: 'month',
      per_call_max_micros: 50_000n,
      revoked_at: null,
      prefix: 'oauth',
    });
    expect((await acts()).slice(1)).toEqual([
      { action: 'account.signed_in', result: 'done', actor: 'session', detail: { by: 'oauth' } },
      { action: 'pass.created', result: 'done', actor: 'session', detail: { grant: pass?.['grant_id'] } },
    ]);
    const { body: sessions } = await auth.send<{ total: number }>('GET', '/v1/auth/sessions', { token: ada.token });
    expect(sessions.total).toBe(1); // the sign-in of the consent has ended with it
  });

  it('F382 shows who sells the tools, by a public name if they have one', async () => {
    expect((await client.signIn(ada)).text).not.toContain('Sold by');
    const text = `insert into auth.account (account_id, email, password_hash, password_changed_at, created_at, public_name, public_name_key)
      values ($1, 'builder@example.com', 'none', now(), now(), 'Weather & Sons', 'weathersons')`;
    await auth.owner.query(text, [builderId]);
    const page = await (await createOAuthClient(auth)).signIn(ada);
    expect(page.text).toContain('<dt>Sold by</dt><dd>Weather &#38; Sons (not verified)</dd>');
    await auth.owner.query('delete from auth.account where account_id = $1', [builderId]);
  });

  it('F382 says that there is nothing to pay with, with a way to a payment method and back, and not where there is', async () => {
    const page = await client.signIn(ada);
    const [, back = ''] = /<a href="\/app\/payment\?back=([^"]+)">Add a payment method<\/a>/.exec(page.text) ?? [];
    const link = decodeURIComponent(back);
    expect(link).toMatch(/^\/oauth\/interaction\/[\w-]+$/);
    const putCard = `insert into billing.processor_customer (account_id, processor, processor_customer_id, payment_method_id, brand, last4,
      exp_month, exp_year, created_at) values ($1, 'sandbox', 'cus_1', 'pm_1', 'visa', '4242', 12, 2099, now())`;
    await auth.owner.query(putCard, [ada.id]);
    const again = await client.browser.open(link);
    expect(again.text).toContain('Let Weather agent spend your money?');
    expect(again.text).not.toContain('payment method');
    const done = await client.browser.press(again, 'allow');
    expect(done.leavesTo?.searchParams.get('code')).toEqual(expect.any(String));
  });

  it('asks for limits, which the person changes; its token says nothing of them', async () => {
    const asked = [
      { type: 'tollgate_spend', tools: ['history'], cap: { amount_usd: 100, window: 'day' }, per_call_max_usd: 0.5 },
    ];
    const page = await client.signIn(ada, { authorization_details: JSON.stringify(asked) });
    expect(page.text).toContain('name="cap_usd" inputmode="decimal" required maxlength="20" value="100"');
    expect(page.text).toContain('name="tool:history" checked');
    expect(page.text).not.toContain('name="tool:forecast" checked');
    const done = await client.browser.press(page, 'allow', { cap_usd: '3,50', ends_on: '2999-01-31' });
    const { body } = await client.redeem(done.leavesTo?.searchParams.get('code'));
    const granted = { type: 'tollgate_spend', tools: ['history'], per_call_max_usd: 0.5 };
    const details = [{ ...granted, cap: { amount_usd: 3.5, window: 'day' } }];
    expect(body.authorization_details).toEqual(details);
    expect((await client.refresh(body.refresh_token)).body.authorization_details).toEqual(details);
    expect(decodeJwt(body.access_token)).not.toHaveProperty('authorization_details');
    expect(await passes()).toMatchObject([{ tool_ids: ['history'], expires_at: new Date('2999-02-01T00:00:00Z') }]);
  });

  it('gets the scopes of the tools that it names and the person allows', async () => {
    const scope = 'openid tollgate:tool:forecast tollgate:tool:history tollgate:tool:other';
    const page = await client.signIn(ada, { scope, nonce: 'n' });
    const done = await client.browser.press(page, 'allow', { 'tool:history': null });
    const { body } = await client.redeem(done.leavesTo?.searchParams.get('code'));
    expect(body.scope).toBe('tollgate:spend tollgate:tool:forecast');
  });

  it('is told what a person said, or could not say', async () => {
    const refused = await client.browser.press(await client.signIn(ada), 'refuse');
    expect(Object.fromEntries(refused.leavesTo?.searchParams ?? [])).toEqual({
      error: 'access_denied',
      error_description: 'The person refused.',
      state: 'the state',
      iss: issuer,
    });
    const silent = await client.browser.open(client.authorizeUrl({ prompt: 'none' }));
    expect(silent.leavesTo?.searchParams.get('error')).toBe('consent_required');
    expect(await passes()).toEqual([]);
  });

  it('asks each time, and a second consent changes the pass of the first and keeps its tokens', async () => {
    const first = await client.connect(ada, { cap_usd: '7' });
    await auth.owner.query(
      `insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, alerts, unheld_micros)
       select 'pass', pass_id, account_id, now(), now() + interval '1 day', cap_micros, 1000, 10, '{}', 0 from gate.pass where account_id = $1`,
      [ada.id],
    );
    const page = await client.signIn(ada);
    expect(page.text).toContain('value="7"');
    const done = await client.browser.press(page, 'allow', { cap_usd: '9', 'tool:history': null });
    const { body } = await client.redeem(done.leavesTo?.searchParams.get('code'));
    const all = await passes();
    expect(all).toMatchObject([{ cap_micros: 9_000_000n, tool_ids: ['forecast'], revoked_at: null }]);
    expect(
      await auth.owner.query('select cap_micros, spent_micros, held_micros from gate.cap_state where account_id = $1', [
        ada.id,
      ]),
    ).toEqual([{ cap_micros: 9_000_000n, spent_micros: 1_000n, held_micros: 10n }]);
    expect([first, body].map(({ access_token }) => decodeJwt(access_token)['pass_id'])).toEqual([
      all[0]?.['pass_id'],
      all[0]?.['pass_id'],
    ]);
    for (const { refresh_token } of [first, body]) expect((await client.refresh(refresh_token)).status).toBe(200);
    expect((await acts()).map(({ action }) => action)).toContain('pass.changed');
  });
});

describe('F303 a pass that ends', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['because its owner revokes it', revokePass],
    ['by its time', () => auth.owner.query(`update gate.pass set expires_at = now() where account_id = '${ada.id}'`)],
    [
      'because its account is suspended',
      () =>
        auth.send('POST', `/v1/operator/accounts/${ada.id}/suspend`, { token: operatorToken, body: { reason: 'x' } }),
    ],
  ])('%s refreshes no token from then on', async (_title, end) => {
    const { refresh_token } = await client.connect(ada);
    await end();
    expect(await client.refresh(refresh_token)).toMatchObject(invalidGrant);
  });

  it('F358 that is paused refreshes no token, and goes on with the same one when it is resumed', async () => {
    const { refresh_token } = await client.connect(ada);
    const pause = (isPaused: boolean) =>
      auth.owner.query(`update gate.pass set is_paused = ${isPaused} where account_id = '${ada.id}'`);
    await pause(true);
    for (const _again of [1, 2])
      expect(await client.refresh(refresh_token)).toMatchObject({
        status: 400,
        body: { error: 'temporarily_unavailable', error_description: 'the owner of the pass has paused it' },
      });
    await pause(false);
    expect(await client.refresh(refresh_token)).toMatchObject({ status: 200 });
  });

  it('stays dead: a new consent has a new pass, and the tokens of the old one do not come back', async () => {
    const { refresh_token } = await client.connect(ada);
    await revokePass();
    const again = await client.connect(ada);
    expect(await client.refresh(refresh_token)).toMatchObject(invalidGrant);
    expect((await client.refresh(again.refresh_token)).status).toBe(200);
    expect(await passes()).toMatchObject([
      { revoked_at: expect.any(Date), ended_at: expect.any(Date) },
      { revoked_at: null, ended_at: null },
    ]);
  });

  it.each(['refresh_token', 'access_token'] as const)(
    'because its client revokes the %s ends both tokens',
    async (kind) => {
      const tokens = await client.connect(ada);
      expect(await client.introspect(tokens[kind])).toMatchObject({ active: true });
      expect((await client.revoke(tokens[kind])).status).toBe(200);
      expect(await passes()).toMatchObject([{ revoked_at: expect.any(Date), ended_at: expect.any(Date) }]);
      expect(await client.refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
      for (const token of [tokens.refresh_token, tokens.access_token])
        expect(await client.introspect(token)).toEqual({ active: false });
      expect((await acts()).at(-1)).toMatchObject({ action: 'pass.revoked', actor: 'nobody' });
    },
  );

  it('is not ended by another client, nor seen by it', async () => {
    const tokens = await client.connect(ada);
    const stranger = await createOAuthClient(auth);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await stranger.revoke(token)).status).toBe(200);
      expect(await stranger.introspect(token)).toEqual({ active: false });
    }
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });
});

describe('F304 a refresh token', () => {
  it('has one successor, however many requests cross and in whichever process', async () => {
    const other = await auth.startBeside({ settings: { PUBLIC_URL: issuer } });
    const { refresh_token } = await client.connect(ada);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? client.refresh(refresh_token) : client.refresh(refresh_token, other.baseUrl),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    auth.realTime.advance(9_000);
    expect((await client.refresh(refresh_token)).body.refresh_token).toBe(answers[0]?.body.refresh_token);
    const stored = `select count(*)::int as live from auth.oauth_object o join auth.oauth_grant g using (grant_id)
      where model = 'RefreshToken' and account_id = '${ada.id}' and consumed_at is null`;
    expect(await auth.owner.query(stored)).toEqual([{ live: 1 }]);
    await other.stop();
  });

  it('that is used again after 10 s ends its consent: somebody else may have it', async () => {
    const { refresh_token } = await client.connect(ada);
    const { body } = await client.refresh(refresh_token);
    auth.realTime.advance(11_000);
    expect((await client.refresh(body.refresh_token)).status).toBe(200);
    expect(await client.refresh(refresh_token)).toMatchObject(invalidGrant);
    expect(await client.refresh(body.refresh_token)).toMatchObject(invalidGrant);
    expect(await passes()).toMatchObject([{ revoked_at: expect.any(Date) }]);
  });

  it('goes on through rotations of the signing key, and with the services’ clock', async () => {
    const { refresh_token } = await client.connect(ada);
    const log = createLogger({ name: 'test', level: 'silent' });
    const keyId = await rotateSigningKey(auth.config, { clock: auth.clock, log }, { use: 'oauth' });
    auth.clock.advance(30 * dayMs);
    const token = await eventually(
      async () => {
        const { access_token: fresh } = (await client.refresh(refresh_token)).body;
        return decodeProtectedHeader(fresh).kid === keyId ? fresh : '';
      },
      { withinMs: 2_000 },
    );
    expect((decodeJwt(token).iat ?? 0) * 1_000).toBeGreaterThan(auth.clock.now() - 60_000);
  });
});

describe('the pages', () => {
  it('create an account on the way, and say what is wrong with a sign-in', async () => {
    const { browser } = client;
    const start = await browser.open(client.authorizeUrl());
    const wrong = await browser.press(start, 'sign_in', { email: ada.email, password: 'not it' });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('The e-mail or the password is wrong.')]);
    expect(wrong.text).not.toContain('not it');
    const signUp = await browser.press(wrong, 'show_sign_up');
    const taken = { email: ada.email, password: 'a good new password' };
    expect((await browser.press(signUp, 'sign_up', taken)).text).toContain('There is an account with this e-mail');
    expect((await browser.press(signUp, 'sign_up', { email: 'x', password: 'short' })).status).toBe(403);
    const fresh = { email: `new-${ada.email}`, password: 'a good new password' };
    const page = await browser.press(signUp, 'sign_up', fresh);
    expect(page.text).toContain(`<dd>new-${ada.email}</dd>`);
    const done = await browser.press(page, 'allow');
    expect((await client.redeem(done.leavesTo?.searchParams.get('code'))).status).toBe(200);
    expect((await auth.login(fresh)).status).toBe(200);
  });

  it('ask for a second factor after the password, and take a code once', async () => {
    const { body } = await auth.post<{ secret: string }>('/v1/auth/totp', { password: ada.password }, ada.token);
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) });
    const code = () => totp.generate({ timestamp: auth.realTime.now() });
    await auth.post('/v1/auth/totp/confirm', { code: code() }, ada.token);
    auth.realTime.advance(30_000);
    const page = await client.signIn(ada);
    expect(page.text).toContain('Second factor');
    const wrong = await client.browser.press(page, 'code', { code: '000000' });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('The code is wrong')]);
    const consent = await client.browser.press(wrong, 'code', { code: code() });
    expect(consent.text).toContain('spend your money?');
    const second = await createOAuthClient(auth);
    const again = await second.browser.press(await second.signIn(ada), 'code', { code: code() });
    expect(again.status).toBe(403);
  });

  it('say money: the tools with prices, the limits, the budget, who asks and where the browser goes', async () => {
    await auth.owner.query(
      `insert into gate.budget (account_id, amount_micros, window_kind, alerts, changed_at) values ($1, 20000000, 'month', '{}', now())`,
      [ada.id],
    );
    const { text } = await client.signIn(ada);
    for (const words of [
      'The forecast<br><small>0.002 USD per call</small>',
      'The history<br><small>0.01 USD per call</small>',
      '<dd>mcp.example.com</dd>',
      'this device (127.0.0.1:4711)',
      'any program here could ask in its name',
      'Your account’s budget is 20 USD per month',
      'it does not say',
      'value="5"',
    ])
      expect(text).toContain(words);
  });

  it('say what is wrong with the limits, and keep what was typed', async () => {
    const page = await client.signIn(ada);
    const wrong = await client.browser.press(page, 'allow', { cap_usd: 'much', 'tool:forecast': null });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Say how much it may spend')]);
    expect(wrong.text).toContain('value="much"');
    expect(wrong.text).not.toContain('name="tool:forecast" checked');
    expect(
      (await client.browser.press(wrong, 'allow', { cap_usd: '1' })).leavesTo?.searchParams.get('code'),
    ).toBeTruthy();
  });

  it('let another account sign in', async () => {
    const page = await client.browser.press(await client.signIn(ada), 'sign_out');
    expect(page.text).toContain('<h1>Sign in</h1>');
    const bob = await auth.signUp();
    expect((await client.browser.press(page, 'sign_in', { email: bob.email, password: bob.password })).text).toContain(
      `<dd>${bob.email}</dd>`,
    );
  });

  it('refuse a pass beyond the most that an account may have', async () => {
    const full = await auth.startBeside({ settings: { PUBLIC_URL: issuer, PASSES_PER_ACCOUNT_MAX: '1' } });
    await client.connect(ada);
    const second = await createOAuthClient(full);
    const page = await second.browser.press(await second.signIn(ada), 'allow');
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('at most 1 live passes')]);
  });
});

describe('what is kept', () => {
  it('has no code and no token that works, and the log has none either', async () => {
    const code = (await client.consent(ada)).get('code') ?? '';
    const { body } = await client.redeem(code);
    const rows = JSON.stringify(await auth.owner.query('select * from auth.oauth_object'));
    for (const secret of [code, body.refresh_token, body.access_token, ada.password]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(rows).not.toContain(secret);
      expect(auth.logged()).not.toContain(secret);
    }
  });

  it('is swept when its time is over, but for clients with a consent; a sign-in without one ends', async () => {
    const idle = await createOAuthClient(auth);
    await client.connect(ada);
    await idle.signIn(ada);
    const worker = auth.connectAs('auth_worker');
    const sweep = createSweepExpired({
      worker,
      clock: auth.clock,
      realTime: auth.realTime,
      accessTokenTtlMs: 3_600_000,
    });
    auth.realTime.advance(8 * dayMs);
    await sweep();
    const clients = await auth.owner.query<{ id: string }>(
      "select payload->>'client_id' as id from auth.oauth_object where model = 'Client'",
    );
    const ids = clients.map(({ id }) => id);
    expect([ids.includes(client.clientId), ids.includes(idle.clientId)]).toEqual([true, false]);
    const { body } = await auth.send<{ total: number }>('GET', '/v1/auth/sessions', { token: ada.token });
    expect(body.total).toBe(1);
  });
});

it('F193 a restored database refreshes no token that it had: it may have been used or revoked since', async () => {
  const { refresh_token } = await client.connect(ada);
  const options = { clock: auth.clock, log: createLogger({ name: 'test', level: 'silent' }) };
  await runAfterRestore(auth.database.ownerUrl, options, { logLines: undefined, revokesAllKeys: false });
  expect(await client.refresh(refresh_token)).toMatchObject(invalidGrant);
});

it('without PUBLIC_URL there is no OAuth, and the answer says why', async () => {
  const off = await auth.startBeside();
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/interaction/x'])
    expect(await off.send('GET', path)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('PUBLIC_URL') },
    });
  expect(redirectUri).toMatch(/^http:/);
});
