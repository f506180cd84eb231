import { describe, expect } from '@jest/globals';
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
    const { access_token: first = '', refresh_token: refresh = '' } = store.tokens() ?? {};
    const sessionId = await beginSession(market.url, first);
    const { client_id: clientId = '' } = claimsOf(first);
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId });
    const refreshed = await fetch(`${market.issuer}/oauth/token`, { method: 'POST', body });
    const { access_token: second = '' } = (await refreshed.json()) as Record<string, string>; // or the next line fails
    expect(second).not.toBe(first);
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: '*' });
    expect((await ask(market.url, { pass: key, sessionId, message: toCall(1, 'Oslo') })).status).toBe(404);
    const answer = await ask(market.url, { pass: second, sessionId, message: toCall(1, 'Rome') });
    expect(answer.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'Rome' }] } }]);
    expect((await ask(market.url, { pass: key, message: initialize })).status).toBe(200);
  });
});

const fail: Begin = () => {
  throw new Error('there is no such client');
};
