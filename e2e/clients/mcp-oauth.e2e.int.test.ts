import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { idempotencyMeta } from '@tollgate/mcp';
import { decodeJwt } from 'jose';
import { createFormBrowser } from '@tollgate/testkit/form-browser';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openOAuthListeners, type OAuthMarket } from './oauth-listeners.ts';
import { createStore, generations, type Attempt, type Begin, type Store } from './oauth-mcp-clients.ts';
import { ask, beginSession, initialize, toCall } from './speak-http.ts';

interface SignedIn {
  readonly attempt: Attempt;
  readonly store: Store;
}

/** As a person does it: the client opens a browser, its person signs in and consents, and the browser comes back. */
async function signIn({ issuer, url, person }: OAuthMarket, begin: Begin): Promise<SignedIn> {
  const store = createStore({ redirectUrl: 'http://127.0.0.1:4711/callback' });
  const attempt = begin(new URL(url), store);
  await expect(attempt.connect()).rejects.toThrow(/unauthorized/i);
  const browser = createFormBrowser({ site: issuer, baseUrl: issuer });
  const page = await browser.press(await browser.open(store.opened()), 'sign_in', person);
  const { leavesTo } = await browser.press(page, 'allow', { cap_usd: '0.02' });
  await attempt.finish(leavesTo?.searchParams ?? new URLSearchParams());
  await attempt.connect();
  return { attempt, store };
}

/** A tool of the same server, which nobody has asked for yet. */
async function addTool({ builder, url }: OAuthMarket, name: string): Promise<string> {
  const slug = `${name}-${randomUUID()}`;
  await builder.tools.create({ slug, name, price: { per_call_usd: '0.01' } });
  await builder.tools.update(slug, { resource: url });
  return slug;
}

async function refresh({ issuer }: OAuthMarket, store: Store): Promise<string> {
  const { access_token: token = '', refresh_token: refreshToken = '' } = store.tokens() ?? {};
  const { client_id: clientId = '' } = claimsOf(token);
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId });
  const refreshed = await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
  return ((await refreshed.json()) as Record<string, string>)['access_token'] ?? '';
}

const passIdOf = (store: Store) => claimsOf(store.tokens()?.access_token ?? '')['pass_id'] ?? '';
const claimsOf = (token: string) => decodeJwt<Record<string, string>>(token);

describe('mcp-proxy --listen --oauth', () => {
  const it = itWith(async (undo) => openOAuthListeners('mcp-oauth', undo));

  for (const [generation, begin] of Object.entries(generations))
    it(`F316 serves a client of the ${generation} from nothing: it pays by a pass, to its cap, until that is revoked`, async ({
      open,
    }) => {
      const market = await open();
      const { attempt, store } = await signIn(market, begin);
      const passId = claimsOf(store.tokens()?.access_token ?? '')['pass_id'] ?? '';
      for (const spent of [0.01, 0.02]) {
        expect(await attempt.call()).toMatchObject({ content: [{ text: '' }] });
        await eventually(async () => (await market.consumer.passes.get(passId)).spent_usd === spent, {
          withinMs: 10_000,
        });
      }
      expect(await attempt.call()).toMatchObject({
        isError: true,
        _meta: { 'tollgate/error': { code: 'spending_cap_reached' } },
      });
      await market.consumer.passes.update(passId, { cap: { amount_usd: 5, window: 'month' } });
      await eventually(async () => ((await attempt.call()) as { isError?: boolean }).isError !== true, {
        withinMs: 1_500,
      });
      await market.consumer.passes.delete(passId);
      await eventually(async () => ((await attempt.call()) as { isError?: boolean }).isError === true, {
        withinMs: 1_500,
      });
    });

  it('F316 says where tokens come from, to callers without one and with a bad one', async ({ open }) => {
    const { url, issuer, builder } = await open();
    const wellKnown = new URL('/.well-known/oauth-protected-resource/mcp', url).href;
    const document = await fetch(wellKnown);
    expect([document.status, document.headers.get('access-control-allow-origin'), await document.json()]).toEqual([
      200,
      '*',
      {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ['tollgate:spend'],
        bearer_methods_supported: ['header'],
        tollgate_account: (await builder.auth.account()).account_id,
      },
    ]);
    const challenge = `resource_metadata="${wellKnown}", scope="tollgate:spend"`;
    const nobody = await ask(url, { message: initialize });
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, `Bearer ${challenge}`]);
    const bad = await ask(url, { pass: 'a.b.c', message: initialize });
    expect([bad.status, bad.headers['www-authenticate']]).toEqual([401, `Bearer error="invalid_token", ${challenge}`]);
  });

  it('F316 takes a pass as before, and goes on with a session under the next token of its pass', async ({ open }) => {
    const market = await open();
    const { store } = await signIn(market, generations['second generation'] ?? fail);
    const { access_token: first = '' } = store.tokens() ?? {};
    const sessionId = await beginSession(market.url, first);
    const second = await refresh(market, store);
    expect(second).not.toBe(first);
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: '*' });
    expect((await ask(market.url, { pass: key, sessionId, message: toCall(1, 'Oslo') })).status).toBe(404);
    const answer = await ask(market.url, { pass: second, sessionId, message: toCall(1, 'Rome') });
    expect(answer.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'Rome' }] } }]);
    expect((await ask(market.url, { pass: key, message: initialize })).status).toBe(200);
  });

  it('F345 finds its repeat under the next token of its pass, and gives it to no other pass', async ({ open }) => {
    const market = await open();
    const { store } = await signIn(market, generations['second generation'] ?? fail);
    const { access_token: first = '' } = store.tokens() ?? {};
    const passId = claimsOf(first)['pass_id'] ?? '';
    const sessionId = await beginSession(market.url, first);
    const named = (city: string) => toCall(1, city, { [idempotencyMeta]: 'trip-1' });
    const texts = async (pass: string, city: string, id = sessionId) =>
      JSON.stringify((await ask(market.url, { pass, sessionId: id, message: named(city) })).messages);
    expect(await texts(first, 'Rome')).toContain('"Rome"');
    const second = await refresh(market, store);
    expect(await texts(second, 'Rome')).toContain('"Rome"');
    expect(await texts(second, 'Oslo')).toContain('idempotency_key_reused');
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: '*' });
    expect(await texts(key, 'Oslo', await beginSession(market.url, key))).toContain('"Oslo"');
    const other = await ask(market.url, { pass: second, sessionId, message: toCall(2, 'Bonn') });
    expect(JSON.stringify(other.messages)).toContain('"Bonn"'); // the cap has room for two calls
    await eventually(async () => (await market.consumer.passes.get(passId)).spent_usd === 0.02, { withinMs: 10_000 });
  });

  it('F346 asks a client of the second generation for the tool that its pass lacks, and the person adds it', async ({
    open,
  }) => {
    const market = await open();
    const begin = generations['second generation'] ?? fail;
    const { store, attempt } = await signIn(market, begin);
    const passId = passIdOf(store);
    const [other, unwanted] = [await addTool(market, 'other'), await addTool(market, 'unwanted')];
    await market.consumer.passes.update(passId, { tools: [other], cap: { amount_usd: 0.01, window: 'month' } });
    const isAsked = () =>
      attempt.call().then(
        () => false,
        (error: unknown) => /unauthorized/i.test(String(error)),
      );
    await eventually(isAsked, { withinMs: 10_000 }); // the change is felt within a second
    const asked = new URL(store.opened());
    expect(asked.searchParams.get('scope')?.split(' ')).toEqual([
      'tollgate:spend',
      `tollgate:tool:${other}`,
      `tollgate:tool:${market.slug}`,
    ]);
    const browser = createFormBrowser({ site: market.issuer, baseUrl: market.issuer });
    const page = await browser.press(await browser.open(asked.href), 'sign_in', market.person);
    const ticked = [other, market.slug, unwanted].map((slug) => page.text.includes(`name="tool:${slug}" checked`));
    expect(ticked).toEqual([true, true, false]);
    const { leavesTo } = await browser.press(page, 'allow', {});
    await attempt.finish(leavesTo?.searchParams ?? new URLSearchParams());
    await attempt.connect();
    expect(await attempt.call()).toMatchObject({ content: [{ text: '' }] });
    expect(passIdOf(store)).toBe(passId);
    expect((await market.consumer.passes.get(passId)).tools).toEqual(expect.arrayContaining([other, market.slug]));
    const pass = store.tokens()?.access_token;
    const sessionId = await beginSession(market.url, pass);
    const capped = await ask(market.url, { pass, sessionId, message: toCall(2, 'Rome') });
    expect([capped.status, JSON.stringify(capped.messages)]).toEqual([200, expect.stringContaining('spending_cap')]);
  });

  it('F346 tells a client that only refreshes its token the second time in a sentence, and a pass at once', async ({
    open,
  }) => {
    const market = await open();
    const { store, attempt } = await signIn(market, generations['first generation'] ?? fail);
    const passId = claimsOf(store.tokens()?.access_token ?? '')['pass_id'] ?? '';
    const other = await addTool(market, 'other');
    await market.consumer.passes.update(passId, { tools: [other] });
    const refused = { isError: true, _meta: { 'tollgate/error': { code: 'tool_not_allowed' } } };
    const before = store.tokens()?.access_token;
    const answers: unknown[] = [];
    const hasRefreshed = async () => (answers.push(await attempt.call()), store.tokens()?.access_token !== before);
    await eventually(hasRefreshed, { withinMs: 10_000 });
    expect(answers).toMatchObject(answers.map(() => refused));
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: [other] });
    const sessionId = await beginSession(market.url, key);
    const answer = await ask(market.url, { pass: key, sessionId, message: toCall(1, 'Rome') });
    expect([answer.status, answer.messages]).toMatchObject([200, [{ result: refused }]]);
  });

  it('F346 names the scopes in a 403, once a minute for a pass and tool', async ({ open }) => {
    const market = await open();
    const { store } = await signIn(market, generations['second generation'] ?? fail);
    const { access_token: pass = '' } = store.tokens() ?? {};
    const sessionId = await beginSession(market.url, pass);
    const other = await addTool(market, 'other');
    await market.consumer.passes.update(claimsOf(pass)['pass_id'] ?? '', { tools: [other] });
    const call = () => ask(market.url, { pass, sessionId, message: toCall(7, 'Rome') });
    let challenged = await call();
    const isChallenged = async () => challenged.status === 403 || (challenged = await call()).status === 403;
    await eventually(isChallenged, { withinMs: 10_000 }); // the change is felt within a second
    const scope = `tollgate:spend tollgate:tool:${other} tollgate:tool:${market.slug}`;
    const wellKnown = new URL('/.well-known/oauth-protected-resource/mcp', market.url).href;
    expect([challenged.headers['www-authenticate'], challenged.messages]).toEqual([
      `Bearer error="insufficient_scope", resource_metadata="${wellKnown}", scope="${scope}"`,
      [expect.objectContaining({ id: 7, error: { code: -32_000, message: expect.stringContaining('weather') } })],
    ]);
    const answers = [await call(), await call()];
    expect(answers.map(({ status, messages }) => [status, JSON.stringify(messages)])).toEqual(
      answers.map(() => [200, expect.stringContaining('tool_not_allowed')]),
    );
  });
});

const fail: Begin = () => {
  throw new Error('there is no such client');
};
