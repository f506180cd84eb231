import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { createFormBrowser } from '@tollgate/testkit/form-browser';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';
import {
  createOAuthClient,
  issuer,
  putTool,
  redirectUri,
  register,
  resource,
  type OAuthClient,
} from '../support/oauth-client.ts';

const auth = authSuite({ settings: { PUBLIC_URL: issuer } });
let ada: SignedUp;
let client: OAuthClient;

beforeAll(async () => {
  await putTool(auth, { toolId: 'forecast' });
  await putTool(auth, { toolId: 'other', of: 'https://other.example.com' });
});

beforeEach(async () => {
  ada = await auth.signUp();
  client = await createOAuthClient(auth);
});

const livePasses = async () =>
  (
    await auth.owner.query(
      'select from gate.pass join auth.account using (account_id) where email = $1 and revoked_at is null',
      [ada.email],
    )
  ).length;
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const errorOf = async (change: Readonly<Record<string, string | undefined>>) => {
  const { leavesTo, status, text } = await client.browser.open(client.authorizeUrl(change));
  if (leavesTo === undefined) return { status, text };
  return leavesTo.searchParams.get('error') ?? new URLSearchParams(leavesTo.hash.slice(1)).get('error');
};

describe('F305 a code', () => {
  it('that is used again ends its consent with all tokens', async () => {
    const code = (await client.consent(ada)).get('code');
    const { body } = await client.redeem(code);
    expect(await client.redeem(code)).toMatchObject(invalidGrant);
    expect(await client.refresh(body.refresh_token)).toMatchObject(invalidGrant);
    expect(await livePasses()).toBe(0);
  });

  it('gives tokens once to many who send it at once', async () => {
    const code = (await client.consent(ada)).get('code') ?? '';
    const answers: ReturnType<OAuthClient['redeem']>[] = [];
    await auth.owner.transaction(async (tx) => {
      // Until this ends, whoever has seen that the code is unused waits to use it.
      const held = 'select from auth.oauth_object where id_hash = $1 for update';
      await tx.query(held, [createHash('sha256').update(code).digest()]);
      answers.push(...Array.from({ length: 4 }, () => client.redeem(code)));
      await eventually(async () => (await auth.waitingForLocks()) > 1, { withinMs: 1_000 });
    });
    expect((await Promise.all(answers)).filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is good for a minute', async () => {
    const code = (await client.consent(ada)).get('code');
    auth.realTime.advance(60_000);
    expect(await client.redeem(code)).toMatchObject(invalidGrant);
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:4712/callback' }],
    ['the resource of another builder', { resource: 'https://other.example.com' }],
  ])('is worth nothing with %s', async (_title, change) => {
    const code = (await client.consent(ada)).get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: client.verifier };
    expect((await client.token({ ...form, ...change })).status).toBe(400);
  });

  it('is worth nothing to another client', async () => {
    const code = (await client.consent(ada)).get('code') ?? '';
    const thief = await createOAuthClient(auth);
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: client.verifier };
    expect(await thief.token(form)).toMatchObject(invalidGrant);
    expect((await client.redeem(code)).status).toBe(200);
  });
});

describe('F306 a request', () => {
  it.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['for a token in the address', { response_type: 'token' }, 'invalid_request'],
    ['for a token of identity', { response_type: 'code id_token' }, 'invalid_request'],
    ['without a resource', { resource: undefined }, 'invalid_target'],
    ['for a resource that no tool names', { resource: 'https://nobody.example.com' }, 'invalid_target'],
    ['for a resource with a fragment', { resource: `${resource}#x` }, 'invalid_target'],
    [
      'with details of another type',
      { authorization_details: '[{"type":"payment"}]' },
      'invalid_authorization_details',
    ],
    [
      'with details that say more',
      { authorization_details: '[{"type":"tollgate_spend","budget":1}]' },
      'invalid_authorization_details',
    ],
  ])('%s goes back as an error', async (_title, change, code) => {
    expect(await errorOf(change)).toBe(code);
  });

  it('for its answer in a form gets it in the address: a form would need a script', async () => {
    const page = await client.signIn(ada, { response_mode: 'form_post' });
    expect((await client.browser.press(page, 'allow')).leavesTo?.searchParams.get('code')).toBeTruthy();
  });

  it('for two resources goes back as an error', async () => {
    const two = `${client.authorizeUrl()}&resource=${encodeURIComponent('https://other.example.com')}`;
    expect((await client.browser.open(two)).leavesTo?.searchParams.get('error')).toBe('invalid_target');
  });

  it.each([
    'https://evil.example/callback',
    'http://127.0.0.1:4711/other',
    'http://127.0.0.1:4711/callback/../evil',
    'http://127.0.0.1:4711@evil.example/callback',
    'http://localhost:4711/callback',
    '//evil.example',
    'javascript:alert(1)',
  ])('never leads to %s, which is not registered: the page says so', async (uri) => {
    const answer = await errorOf({ redirect_uri: uri });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('This request does not work') });
    expect(answer).not.toMatchObject({ text: expect.stringContaining('href') });
  });

  it('of a native client may come from another port of the machine each time', async () => {
    expect(
      (await client.browser.open(client.authorizeUrl({ redirect_uri: 'http://127.0.0.1:9/callback' }))).status,
    ).toBe(200);
  });

  it('of an unknown client is a page that shows markup for what it is', async () => {
    const page = await client.browser.open(client.authorizeUrl({ client_id: '<b>x' }));
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('This request does not work')]);
    expect(page.text).not.toContain('<b>x');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('F307 a consent', () => {
  it('counts only with the token of its own page', async () => {
    const page = await client.signIn(ada);
    const other = await createOAuthClient(auth);
    const foreign = /name="form" value="([^"]+)"/.exec((await other.signIn(ada)).text)?.[1] ?? '';
    for (const form of ['', foreign, 'a'.repeat(43)])
      expect((await client.browser.press(page, 'allow', { form })).status).toBe(403);
    expect(await livePasses()).toBe(0);
    expect((await client.browser.press(page, 'allow')).leavesTo?.searchParams.get('code')).toBeTruthy();
  });

  it('is given in the browser that signed in alone, whoever knows its address', async () => {
    const page = await client.signIn(ada);
    const thief = createFormBrowser({ site: issuer, baseUrl: auth.baseUrl });
    expect((await thief.open(page.url)).status).toBe(404);
    expect((await thief.press(page, 'allow')).status).toBe(404);
    const cookie = client.browser.cookies.find(({ name }) => name === '_interaction');
    const forged = await fetch(new URL(new URL(page.url).pathname, auth.baseUrl), {
      headers: { cookie: `_interaction=${cookie?.value}; _interaction.sig=${'a'.repeat(27)}` },
    });
    expect(forged.status).toBe(404);
  });

  it('needs the sign-in of its own interaction, also for who has the signed cookie', async () => {
    const start = await client.browser.open(client.authorizeUrl());
    const held = client.browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await client.browser.press(start, 'sign_in', { email: ada.email, password: ada.password });
    const other = await fetch(new URL(new URL(start.url).pathname, auth.baseUrl), { headers: { cookie: held } });
    expect(await other.text()).toContain('<h1>Sign in</h1>');
  });

  it('has cookies that no script reads, that stay with us, and that end with it', async () => {
    const page = await client.signIn(ada);
    for (const { text } of client.browser.cookies) {
      expect(text).toMatch(/; ?httponly/i);
      expect(text).toMatch(/; ?samesite=lax/i);
      expect(text).toMatch(/; ?secure/i);
    }
    const names = client.browser.cookies.map(({ name }) => name).toSorted();
    expect(names).toEqual([
      '_interaction',
      '_interaction.sig',
      '_interaction_resume',
      '_interaction_resume.sig',
      'tollgate_sign_in',
    ]);
    await client.browser.press(page, 'allow');
    expect(client.browser.cookies.map(({ name }) => name).toSorted()).toEqual(['_interaction', '_interaction.sig']);
    expect((await client.browser.open(page.url)).status).toBe(404);
  });

  it('is on pages without scripts and foreign content, which nobody frames or keeps', async () => {
    const start = await client.browser.open(client.authorizeUrl());
    const page = await client.browser.press(start, 'sign_in', { email: ada.email, password: ada.password });
    for (const { headers, text } of [start, page]) {
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'( http:\/\/127\.0\.0\.1:4711)?; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
      expect(text).not.toMatch(/<script|\son\w+=|src=|href="(?!\/app\/)/); // the console is the same origin
    }
  });

  it('does not outlive the sign-in: a password that was changed meanwhile ends it', async () => {
    const page = await client.signIn(ada);
    const change = { current_password: ada.password, new_password: 'a wholly other horse' };
    await auth.post('/v1/auth/password', change, ada.token);
    const answer = await client.browser.press(page, 'allow');
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('The sign-in has ended.')]);
    expect(await livePasses()).toBe(0);
  });

  it('is guessed no faster than a password', async () => {
    const slow = await auth.startBeside({
      settings: { PUBLIC_URL: issuer, LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE: '2' },
    });
    const other = await createOAuthClient(slow);
    const start = await other.browser.open(other.authorizeUrl());
    const guess = () => other.browser.press(start, 'sign_in', { email: ada.email, password: 'a guess' });
    expect([await guess(), await guess(), await guess()].map(({ status }) => status)).toEqual([403, 403, 429]);
  });
});

describe('F302 tokens', () => {
  it('of OAuth open no route of a session, and tokens of a session are none of OAuth', async () => {
    const { access_token } = await client.connect(ada);
    expect(await auth.me(access_token)).toMatchObject(refusal(401, 'unauthorized'));
    expect(await auth.refresh(access_token)).toMatchObject(refusal(401, 'unauthorized'));
    expect(await client.introspect(ada.token)).toEqual({ active: false });
    expect((await client.revoke(ada.token)).status).toBe(200);
    expect((await auth.me(ada.token)).status).toBe(200);
  });
});

describe('F308 a registration', () => {
  it('keeps what a public client needs, and drops all else: scope, secrets, keys, addresses that we would fetch', async () => {
    const { status, body } = await register(auth.baseUrl, {
      client_name: 'Bad\u202Egnorts\nname',
      scope: 'tollgate:spend admin',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'password'],
      response_types: ['code'],
      sector_identifier_uri: 'http://169.254.169.254/latest',
      jwks_uri: 'http://127.0.0.1/keys',
      logo_uri: 'https://evil.example/logo.png',
      require_auth_time: true,
      dpop_bound_access_tokens: true,
      software_id: 'x',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: 'Badgnortsname',
      redirect_uris: [redirectUri],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      response_modes: ['query'],
      id_token_signed_response_alg: 'ES256',
      authorization_details_types: ['tollgate_spend'],
      require_auth_time: false,
      dpop_bound_access_tokens: false,
    });
    for (const name of ['scope', 'client_secret', 'sector_identifier_uri', 'jwks_uri', 'logo_uri', 'software_id'])
      expect(body).not.toHaveProperty(name);
  });

  it.each([
    ['http to another machine', ['http://evil.example/callback']],
    ['a script', ['javascript:alert(1)']],
    ['a fragment', ['https://agent.example/#x']],
    ['no address', []],
    ['too many', Array.from({ length: 21 }, (_, index) => `https://agent.example/${index}`)],
  ])('with %s to go back to is refused', async (_title, uris) => {
    expect(await register(auth.baseUrl, { redirect_uris: uris })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^invalid_/) },
    });
  });

  it('is limited by address, and off where the operator says so', async () => {
    const few = await auth.startBeside({ settings: { PUBLIC_URL: issuer, OAUTH_CLIENTS_PER_ADDRESS_PER_MINUTE: '1' } });
    expect([(await register(few.baseUrl)).status, (await register(few.baseUrl)).status]).toEqual([201, 429]);
    const off = await auth.startBeside({ settings: { PUBLIC_URL: issuer, OAUTH_DYNAMIC_REGISTRATION: 'off' } });
    expect((await register(off.baseUrl)).status).toBe(404);
    const metadata = await (await fetch(`${off.baseUrl}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).not.toHaveProperty('registration_endpoint');
  });

  it('and all that clients in browsers call is open to pages of any origin, without their cookies', async () => {
    for (const path of ['/oauth/register', '/oauth/token', '/.well-known/oauth-authorization-server']) {
      const headers = { origin: 'https://agent.example', 'access-control-request-method': 'POST' };
      const preflight = await fetch(auth.baseUrl + path, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-headers': 'content-type,mcp-protocol-version' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const page = await fetch(auth.baseUrl + client.authorizeUrl(), {
      headers: { origin: 'https://agent.example' },
      redirect: 'manual',
    });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('addresses of the server are those of PUBLIC_URL, whatever host a request names', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
  const answer = await fetch(`${auth.baseUrl}/.well-known/oauth-authorization-server`, { headers });
  expect(await answer.text()).not.toContain('evil');
});
