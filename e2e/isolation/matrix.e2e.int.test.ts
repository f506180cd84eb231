import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Problem } from '@tollgate/contracts/problem';
import type { Route } from '@tollgate/contracts/route';
import { isServedWith, routes } from '@tollgate/contracts/routes';
import { createHttpClient, type HttpAnswer, type HttpClient } from '@tollgate/testkit/http-client';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { openOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { readRowsWithoutAccount } from '@tollgate/testkit/oracles/rows-without-account';
import { buildStandalone, startStandalone, type StandaloneProcess } from '@tollgate/testkit/standalone-process';
import { eventually } from '@tollgate/testkit/eventually';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';

import { forgeTokens, plantTrustedKey, readToken, signTrusted } from './forged-tokens.ts';
import { readControllerRoutes, readExpressRoutes } from './mounted-routes.ts';
import { createOwner, type Owner } from './owner.ts';
import { samples, type Sample } from './samples.ts';

const frontNotFound = 'There is nothing at this address.';
const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));
/** Those of another payment processor are not there: 404, as at any other address. */
const served = named.filter(({ route }) => isServedWith('sandbox')(route));
const operatorToken = 'only-the-operator-of-this-test-knows-it';
const guarded = named.filter(({ route }) => route.access !== 'public');

/** Each route of the contracts, asked with every kind of credential there is. A new route takes part by itself. */
describe('token × route', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-matrix-'));
  chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
  const dataDir = join(folder, 'data');
  let product: StandaloneProcess | undefined;
  let client: HttpClient;
  let victim: Owner;
  let stranger: Owner;
  /** Its tool is what the victim calls, so it may know that much. */
  let builder: Owner;
  let refused: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await buildStandalone();
    product = startStandalone({ dataDir, env: { LOG_LEVEL: 'debug', OPERATOR_TOKEN: operatorToken } });
    const { baseUrl } = await product.ready();
    const document = await createHttpClient({ baseUrl })<object>('GET', '/openapi.json');
    client = createHttpClient({ baseUrl, answerCheck: createAnswerCheck(document.body) });
    builder = await createOwner(client);
    stranger = await createOwner(client);
    victim = await createOwner(client, builder.slug);
    refused = await makeRefusedCredentials();
  }, 180_000);

  afterAll(async () => {
    await product?.destroy(); // undefined: it did not build
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a sample for each route, and no others', () => {
    expect(Object.keys(samples).toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted());
  });

  it('mounts nothing that the contracts do not have', async () => {
    const inControllers = await readControllerRoutes();
    const inExpress = await readExpressRoutes();
    expect(inControllers.length).toBeGreaterThan(10);
    expect(inExpress.length).toBeGreaterThan(2);
    const mounted = [...inControllers, ...inExpress];
    const known = new Set(named.map(({ name }) => name));
    expect(mounted.filter(({ method, path }) => !known.has(`${method} ${path}`))).toEqual([]);
  });

  it.each(served)('mounts $name, answers its owner, and names its methods', async ({ route }) => {
    const owner = await createOwner(client);
    const answer = await ask(route, owner, route.access === 'operator' ? operatorToken : owner.token);
    expect(answer.text).not.toContain(frontNotFound);
    expect(answer.status).toBe(sampleOf(route).toOwner);
    const wrongMethod = await client('PUT', sampleOf(route).path(owner), { token: owner.token });
    expect(wrongMethod.status).toBe(405);
    const allowed = routes.filter(({ path }) => path === route.path).map(({ method }) => method);
    const told = (wrongMethod.headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD');
    expect(told.toSorted()).toEqual(allowed.toSorted());
  });

  it.each(guarded)('F67 F69 refuses $name to every credential that is none', async ({ route }) => {
    const wrong: string[] = [];
    for (const [name, authorization] of Object.entries(refused)) {
      if (route.access === 'refresh' && name === 'an expired token') continue;
      const answer = await ask(route, victim, undefined, { authorization });
      const { code } = answer.body as Problem;
      if (answer.status !== 401 || code !== 'unauthorized') wrong.push(`${name}: ${answer.status} ${answer.text}`);
    }
    expect(wrong).toEqual([]);
    expect((await ask(route, victim)).status).toBe(401);
  });

  it.each(guarded.filter(({ route }) => route.access === 'session' || route.access === 'refresh'))(
    'refuses $name to an API key',
    async ({ route }) => {
      expect((await ask(route, victim, victim.key)).status).toBe(403);
    },
  );

  it('refuses the operator what needs an account, and accounts what needs the operator', async () => {
    const wrong: string[] = [];
    for (const { name, route } of guarded) {
      const isOperators = route.access === 'operator';
      const credentials = isOperators ? [victim.token, victim.key] : [operatorToken];
      for (const credential of credentials) {
        const { status, text } = await ask(route, victim, credential);
        // Where no operator is configured the token is one like any other unknown one.
        const isRefused = isOperators ? status === 404 : status === 403 || status === 401;
        if (!isRefused) wrong.push(`${name}: ${status} ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('F72 O5 shows and does nothing of an account to another, by token and by key', async () => {
    const wrong: string[] = [];
    const inTheMeantime = named.filter(
      ({ route }) => route.operationId !== 'logout' && route.operationId !== 'refresh',
    );
    for (const { name, route } of inTheMeantime) {
      for (const credential of [stranger.token, ...(route.access === 'account' ? [stranger.key] : [])]) {
        const answer = await ask(route, victim, credential);
        const { toOthers, isPublicCatalogue } = sampleOf(route);
        if (answer.status !== toOthers)
          wrong.push(`${name} answered ${answer.status}, not ${toOthers}: ${answer.text}`);
        wrong.push(...leaksIn(answer, isPublicCatalogue === true).map((leak) => `${name} shows ${leak}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('F72 O5 shows a builder who called, and neither key nor metadata of the call', async () => {
    const events = await client('GET', '/v1/events?role=builder', { token: builder.token });
    const usage = await client('GET', '/v1/usage?role=builder&group_by=consumer_id', { token: builder.token });
    expect(events.text).toContain(victim.eventId);
    expect(usage.text).toContain(victim.accountId);
    expect(events.text + usage.text).not.toContain(victim.canary);
    const event = await client('GET', `/v1/events/${victim.eventId}`, { token: builder.token });
    expect(event.text).not.toContain(victim.canary);
  });

  it('F72 leaves the account as it was', async () => {
    const { token, key, slug } = victim;
    expect((await client('GET', '/v1/auth/me', { token: key })).body).toMatchObject({ email: victim.email });
    expect((await client('GET', `/v1/tools/${slug}`, { token })).body).toMatchObject({ name: slug, archived: false });
    expect((await client('GET', `/v1/tools/${slug}/prices`, { token })).body).toMatchObject({ total: 2 });
    expect((await client('GET', '/v1/api-keys', { token })).body).toMatchObject({ total: 2 });
    expect((await client('GET', '/v1/usage', { token })).body).toMatchObject({ totals: { calls: 2 } });
    const { email, password } = victim;
    expect((await client('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200);
  });

  it('F69 refuses the tokens of a session from the moment that it has ended, refreshed or not', async () => {
    const owner = await createOwner(client);
    const refreshed = await client<{ access_token: string }>('POST', '/v1/auth/refresh', { token: owner.token });
    expect((await client('POST', '/v1/auth/logout', { token: refreshed.body.access_token })).status).toBe(204);
    const tokens = [owner.token, refreshed.body.access_token];
    await eventually(
      async () => {
        for (const token of tokens)
          for (const { route } of guarded) expect((await ask(route, victim, token)).status).toBe(401);
        return true;
      },
      { withinMs: 1_500 },
    );
  });

  it.each(['auth_api', 'billing_api', 'ingest_gateway_api'])(
    'F75 O5 lets %s see no row without an account',
    async (role) => {
      const url = findRunningPostgres(dataDir)?.urlFor(role) ?? '';
      const visible = await readRowsWithoutAccount(url);
      expect(visible.length).toBeGreaterThan(3);
      expect(visible.filter(({ rows }) => rows > 0)).toEqual([]);
    },
  );

  it('F76 writes no secret and nothing personal to its log', () => {
    const output = product?.output() ?? '';
    expect(output).toContain('"answered"');
    for (const secret of [victim.canary, victim.token, victim.key, stranger.token, stranger.key, stranger.password])
      expect(output).not.toContain(secret);
  });

  async function makeRefusedCredentials(): Promise<Record<string, string>> {
    const database = await openOracleDatabase(dataDir);
    const trusted = await plantTrustedKey(database).finally(() => void database.end());
    const { claims } = readToken(victim.token);
    const good = signTrusted(trusted, claims);
    await eventually(async () => (await client('GET', '/v1/auth/me', { token: good })).status === 200, {
      withinMs: 5_000,
    });
    const tokens = {
      'an expired token': signTrusted(trusted, {
        ...claims,
        iat: Number(claims['iat']) - 7_200,
        exp: Number(claims['iat']) - 1,
      }),
      'a revoked key': await makeRevokedKey(),
      'an unknown key': 'tg_live_0123456789ABCDEFabcdef0123456789ABCDEF',
      'a key without its end': victim.key.slice(0, -1),
      words: 'not a token',
      nothing: '',
      ...forgeTokens(victim.token, trusted),
    };
    const bearers = Object.entries(tokens).map(([name, token]) => [name, `Bearer ${token}`]);
    const basic = Buffer.from(`${victim.email}:${victim.password}`).toString('base64');
    return {
      ...(Object.fromEntries(bearers) as Record<string, string>),
      'another scheme': `Basic ${basic}`,
      'a bare token': victim.token,
    };
  }

  async function makeRevokedKey(): Promise<string> {
    const { token } = stranger;
    const created = await client<{ id: string; key: string }>('POST', '/v1/api-keys', {
      token,
      body: { name: 'gone' },
    });
    await client('DELETE', `/v1/api-keys/${created.body.id}`, { token });
    const isRefused = async () => (await client('GET', '/v1/usage', { token: created.body.key })).status === 401;
    await eventually(isRefused, { withinMs: 1_500 });
    return created.body.key;
  }

  async function ask(
    route: Route,
    owner: Owner,
    token?: string,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer<unknown>> {
    const { path, body } = sampleOf(route);
    return client<unknown>(route.method, path(owner), {
      headers,
      ...(token === undefined ? {} : { token }),
      ...(body ? { body: body(owner) } : {}),
    });
  }

  function leaksIn(answer: HttpAnswer<unknown>, isPublicCatalogue: boolean): string[] {
    const secrets = { canary: victim.canary, account: victim.accountId, event: victim.eventId, key: victim.keyId };
    // Its own answer may repeat the address that was asked for.
    const text = answer.status === 404 ? answer.text.replace(/"instance":"[^"]*"/, '') : answer.text;
    const ofTool = isPublicCatalogue || text.includes('"recorded"') ? {} : { tool: `"name":"${victim.slug}"` };
    return Object.entries({ ...secrets, ...ofTool }).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
  }
});

function sampleOf({ operationId }: Route): Sample {
  const sample = samples[operationId];
  if (!sample) throw new Error(`samples.ts has none for ${operationId}`);
  return sample;
}
