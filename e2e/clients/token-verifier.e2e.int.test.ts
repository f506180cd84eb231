import { requireBearerAuth as requireBearerAuthV1 } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { OAuthError, requireBearerAuth as requireBearerAuthV2 } from '@modelcontextprotocol/server';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { tokenVerifier, type PassAuthInfo } from '@tollgate/mcp';
import { Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';
import express from 'express';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';
import { serveFetch } from './serve-fetch.ts';

/** Servers that answer with what the verifier says of the bearer token, behind the SDK's own `requireBearerAuth`. */
const guarded = {
  async first(tollgate: Tollgate, requiredScopes: string[]): Promise<HttpServer> {
    const verifier = tokenVerifier({ tollgate, invalidToken: (message) => new InvalidTokenError(message) });
    const app = express();
    app.get('/', requireBearerAuthV1({ verifier, requiredScopes }), (request, response) => {
      response.json(request.auth);
    });
    return serveHttp(app);
  },
  async second(tollgate: Tollgate, requiredScopes: string[]): Promise<HttpServer> {
    const verifier = tokenVerifier({ tollgate, invalidToken: (message) => new OAuthError('invalid_token', message) });
    const gate = requireBearerAuthV2({ verifier, requiredScopes });
    return serveFetch(async (request) => {
      const auth = await gate(request);
      return auth instanceof Response ? auth : Response.json(auth);
    });
  },
};

for (const generation of ['first', 'second'] as const) {
  describe(`requireBearerAuth of the ${generation} generation, with passes as tokens`, () => {
    const it = itWith(async (undo) => {
      const product = await openProduct({ name: 'token-verifier' }, undo);
      const market = await openMarket(product.baseUrl());
      const guard = async (tollgate: Tollgate, scopes: string[] = []) => {
        const server = await guarded[generation](tollgate, scopes);
        undo(() => server.close());
        return async (token?: string) => {
          const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
          const answer = await fetch(server.baseUrl, { headers });
          const body = (await answer.json()) as PassAuthInfo & { readonly error?: string };
          return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? '', body };
        };
      };
      return { market, guard, ask: await guard(market.builder) };
    });

    it('lets a live pass in, with its tools as scopes, and trusts it for five minutes', async ({ ask, market }) => {
      const before = Math.floor(systemClock.now() / 1000);
      const { status, body } = await ask(market.pass);
      const after = Math.floor(systemClock.now() / 1000);
      expect([status, body]).toEqual([
        200,
        {
          token: market.pass,
          clientId: market.passId,
          scopes: ['tollgate:spend', market.slug],
          expiresAt: expect.any(Number),
          extra: { name: 'agent', passId: market.passId },
        },
      ]);
      expect(body.expiresAt).toBeGreaterThanOrEqual(before + 300);
      expect(body.expiresAt).toBeLessThanOrEqual(after + 300);
    });

    it('gives the expiry of a pass that has one, and `*` for all tools', async ({ ask, market }) => {
      const pass = { name: 'until 2032', tools: '*', expires_at: '2032-01-01T00:00:00.000Z' } as const;
      const { key } = await market.consumer.passes.create(pass);
      expect(await ask(key)).toMatchObject({
        status: 200,
        body: { expiresAt: 1_956_528_000, scopes: ['tollgate:spend', '*'] },
      });
    });

    it('refuses no token, a wrong one, a revoked pass, a paused one and what is no pass', async ({ ask, market }) => {
      const { consumer, slug } = market;
      const revoked = await consumer.passes.create({ name: 'revoked', tools: [slug] });
      expect((await ask(revoked.key)).status).toBe(200);
      await consumer.passes.delete(revoked.id);
      await eventually(async () => (await ask(revoked.key)).status === 401, { withinMs: 1_500 });
      const paused = await consumer.passes.create({ name: 'paused', tools: [slug] });
      await consumer.passes.update(paused.id, { paused: true });
      await eventually(async () => (await ask(paused.key)).status === 401, { withinMs: 1_500 });
      const { key: apiKey = '' } = await consumer.apiKeys.create({ name: 'no pass' });
      for (const token of [
        undefined,
        'wrong',
        'tg_pass_wrong',
        'a.b.c',
        'x'.repeat(5_000),
        `${market.pass}x`,
        revoked.key,
        paused.key,
        apiKey,
      ])
        expect([token, await ask(token)]).toEqual([
          token,
          { status: 401, challenge: expect.stringContaining('invalid_token'), body: expect.anything() },
        ]);
    });

    it('refuses a pass from its expiry on', async ({ ask, market }) => {
      const expiresAt = new Date(systemClock.now() + 1_000).toISOString();
      const { key } = await market.consumer.passes.create({ name: 'short', tools: '*', expires_at: expiresAt });
      await eventually(async () => (await ask(key)).status === 401, { withinMs: 3_000 });
    });

    it('refuses a pass for other tools where the scope is required', async ({ guard, market }) => {
      const ask = await guard(market.builder, [market.slug]);
      await market.builder.tools.create({ slug: 'other-tool', name: 'Other', price: { per_call_usd: '0.01' } });
      const { key } = await market.consumer.passes.create({ name: 'other', tools: ['other-tool'] });
      expect([(await ask(market.pass)).status, (await ask(key)).status]).toEqual([200, 403]);
    });

    it('calls no token wrong while Tollgate cannot be asked', async ({ guard, market }) => {
      const away = await serveHttp((request) => request.socket.destroy());
      const ask = await guard(new Tollgate({ url: away.baseUrl, apiKey: 'tg_live_test', retries: 0 }));
      expect(await ask(market.pass)).toMatchObject({ status: 500, body: { error: 'server_error' } });
      await away.close();
    });
  });
}
