import { describe, expect } from '@jest/globals';
import type { Problem } from '@tollgate/contracts/forms/problem';
import { embedPages, opensToEmbed } from '@tollgate/contracts/routes/embed-pages';
import { keyScopeOf, keyScopes, opensToKey } from '@tollgate/contracts/routes/route';
import { isServedWith, routes } from '@tollgate/contracts/routes/routes';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { eventually } from '@tollgate/testkit/eventually';
import type { HttpAnswer } from '@tollgate/testkit/http-client';
import { readRowsWithoutAccount } from '@tollgate/testkit/oracles/rows-without-account';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { asker } from './ask-route.ts';
import { readControllerRoutes, readExpressRoutes } from './mounted-routes.ts';
import { createOwner, type Owner } from './owner.ts';
import { expiredToken, makeRefusedCredentials } from './refused-credentials.ts';
import { sampleOf, samples } from './samples.ts';

const frontNotFound = 'There is nothing at this address.';
const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));
/** A route of another payment processor is not served: 404, as at any unknown address. */
const served = named.filter(({ route }) => isServedWith('sandbox')(route));
const guarded = named.filter(({ route }) => route.access !== 'public');
const forSessions = guarded.filter(({ route }) => route.access === 'session' || route.access === 'refresh');
const operatorToken = 'only-the-operator-of-this-test-knows-it';

/** Asks each route of the contracts with every kind of credential. A new route takes part by itself. */
describe('token × route', () => {
  const it = itWith(async (undo) => {
    // Most routes have an owner of their own, who signs in; all come from one address, as fast as the machine can ask.
    const many = {
      LOGINS_PER_ADDRESS_PER_MINUTE: '1000',
      WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE: '1000000',
      READS_PER_SECOND_MAX: '10000',
      WRITES_PER_SECOND_MAX: '10000',
    };
    const env = { LOG_LEVEL: 'debug', OPERATOR_TOKEN: operatorToken, ...many };
    const product = await openProduct({ name: 'matrix', env }, undo);
    const { client } = product;
    const builder = await createOwner(client);
    const stranger = await createOwner(client);
    const reader = await createOwner(client);
    const victim = await createOwner(client, builder.slug); // it calls the builder's tool, so the builder may know of it
    const refused = await makeRefusedCredentials(product, { victim, stranger });
    return { product, client, builder, stranger, reader, victim, refused, ask: asker(client) };
  });

  it('has samples of no other routes', async () => {
    const known = new Set(routes.map(({ operationId }) => operationId));
    expect(Object.keys(samples).filter((id) => !known.has(id))).toEqual([]);
  });

  it('mounts no route that the contracts lack', async () => {
    const [inControllers, inExpress] = [await readControllerRoutes(), await readExpressRoutes()];
    expect(inControllers.length).toBeGreaterThan(10);
    expect(inExpress.length).toBeGreaterThan(2);
    const known = new Set(named.map(({ name }) => name));
    const mounted = [...inControllers, ...inExpress];
    expect(mounted.filter(({ method, path }) => !known.has(`${method} ${path}`))).toEqual([]);
  });

  for (const { name, route } of served) {
    it(`mounts ${name}, answers its owner, and names its methods`, async ({ client, reader, ask }) => {
      const owner = route.method === 'GET' ? reader : await createOwner(client); // others change what they find
      const answer = await ask(route, owner, route.access === 'operator' ? operatorToken : owner.token);
      expect(answer.text).not.toContain(frontNotFound);
      expect(answer.status).toBe(sampleOf(route).toOwner);
      const allowed = routes.filter(({ path }) => path === route.path).map(({ method }) => method);
      const method = allowed.includes('PUT') ? 'PATCH' : 'PUT';
      const wrongMethod = await client(method, sampleOf(route).path(owner), { token: owner.token });
      expect(wrongMethod.status).toBe(405);
      const answered = (wrongMethod.headers.get('allow') ?? '').split(', ').filter((each) => each !== 'HEAD');
      expect(answered.toSorted()).toEqual(allowed.toSorted());
    });
  }

  for (const { name, route } of guarded) {
    it(`F67 F69 refuses ${name} to every credential that is none`, async ({ ask, victim, refused }) => {
      const wrong: string[] = [];
      const tryIt = async ([kind, authorization]: readonly [string, string]): Promise<void> => {
        const answer = await ask(route, victim, undefined, { headers: { authorization } });
        const code = (answer.body as Problem | undefined)?.code;
        if (answer.status !== 401 || code !== 'unauthorized') wrong.push(`${kind}: ${answer.status} ${answer.text}`);
      };
      const mayExpire = route.access === 'refresh';
      await Promise.all(
        Object.entries(refused)
          .filter(([kind]) => !(mayExpire && kind === expiredToken))
          .map(tryIt),
      );
      expect(wrong).toEqual([]);
      expect((await ask(route, victim)).status).toBe(401);
    });
  }

  for (const { name, route } of forSessions) {
    it(`refuses ${name} to an API key`, async ({ ask, victim }) => {
      expect((await ask(route, victim, victim.key)).status).toBe(403);
    });
  }

  it('F92 opens to a pass the routes that admit passes, and no others', async ({ ask, victim }) => {
    const wrong: string[] = [];
    for (const { name, route } of guarded) {
      const isOpen = route.admitsPass === true || route.access === 'pass';
      const { status, text } = await ask(route, victim, victim.passKey);
      const isRefused = status === { operator: 404, refresh: 401 }[route.access as string] || status === 403;
      if (isRefused === isOpen) wrong.push(`${name}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  it('F340 opens to the token of an embed what its page asks of its own account, and nothing else', async (opened) => {
    const { client, ask, stranger, victim } = opened;
    const wrong: string[] = [];
    const roles = ['?role=consumer', '?role=builder'];
    for (const page of embedPages) {
      const made = await client<{ url: string }>('POST', '/v1/embeds', { token: stranger.token, body: { page } });
      const token = new URLSearchParams(new URL(made.body.url).hash.slice(1)).get('token') ?? '';
      for (const { name, route } of guarded)
        for (const role of route.operationId === 'getUsage' ? roles : ['']) {
          const path = role === '' ? sampleOf(route).path(victim) : `/v1/usage${role}`;
          const answer = await ask(route, victim, token, { path });
          const isOpen = opensToEmbed(route, page, new URLSearchParams(role));
          const isRefused = answer.status === (route.access === 'operator' ? 404 : 403);
          if (isRefused === isOpen) wrong.push(`${page}: ${name}${role}: ${answer.status} ${answer.text}`);
          if (isOpen) wrong.push(...leaksIn(answer, victim, false).map((leak) => `${name} shows ${leak}`));
        }
    }
    expect(wrong).toEqual([]);
  });

  it('F153 opens to a key of each scope the routes of that scope, and no others', async ({ client, ask }) => {
    const owner = await createOwner(client);
    const keys: Record<string, string> = {};
    for (const scope of keyScopes) {
      const body = { name: scope, can: [scope] };
      keys[scope] = (await client<{ key: string }>('POST', '/v1/api-keys', { token: owner.token, body })).body.key;
    }
    const wrong: string[] = [];
    for (const { name, route } of served.filter(({ route: { access } }) => access === 'account'))
      for (const scope of keyScopes) {
        const code = refusalOf(await ask(route, owner, keys[scope])) ?? 'in';
        const expected = opensToKey(route, [scope]) ? 'in' : `${keyScopeOf(route)}_scope_missing`;
        if (code !== expected) wrong.push(`${name} answered ${scope} ${code}, not ${expected}`);
      }
    expect(wrong).toEqual([]);
    for (const { route } of guarded.filter(({ route: { access } }) => access === 'session' || access === 'operator'))
      for (const key of Object.values(keys)) expect([403, 404]).toContain((await ask(route, owner, key)).status);
  });

  it('refuses the operator what needs an account, and accounts what needs the operator', async ({ ask, victim }) => {
    const wrong: string[] = [];
    for (const { name, route } of guarded) {
      const isOperators = route.access === 'operator';
      const credentials = isOperators ? [victim.token, victim.key] : [operatorToken];
      for (const credential of credentials) {
        const { status, text } = await ask(route, victim, credential);
        // Without an operator in the settings, the token is as unknown as any other.
        const isRefused = isOperators ? status === 404 : status === 403 || status === 401;
        if (!isRefused) wrong.push(`${name}: ${status} ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('F72 O5 shows and does nothing of an account to another, by token and by key', async (opened) => {
    const { ask, stranger, victim } = opened;
    const wrong: string[] = [];
    const endsNoSession = named.filter(
      ({ route }) => !['logout', 'refresh', 'endBrowserSession'].includes(route.operationId),
    );
    for (const { name, route } of endsNoSession) {
      for (const credential of [stranger.token, ...(route.access === 'account' ? [stranger.key] : [])]) {
        const answer = await ask(route, victim, credential);
        const { toOthers, isPublicCatalogue } = sampleOf(route);
        if (answer.status !== toOthers)
          wrong.push(`${name} answered ${answer.status}, not ${toOthers}: ${answer.text}`);
        wrong.push(...leaksIn(answer, victim, isPublicCatalogue === true).map((leak) => `${name} shows ${leak}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('F72 O5 shows a builder who called, and neither key nor metadata of the call', async (opened) => {
    const { client, builder, victim } = opened;
    const events = await client('GET', '/v1/events?role=builder', { token: builder.token });
    const usage = await client('GET', '/v1/usage?role=builder&group_by=consumer_id', { token: builder.token });
    expect(events.text).toContain(victim.eventId);
    expect(usage.text).toContain(victim.accountId);
    const event = await client('GET', `/v1/events/${victim.eventId}`, { token: builder.token });
    expect(events.text + usage.text + event.text).not.toContain(victim.canary);
  });

  it('F72 leaves the account as it was', async ({ client, victim }) => {
    const { token, key, slug, email, password } = victim;
    const read = async (path: string, credential = token) => (await client('GET', path, { token: credential })).body;
    expect(await read('/v1/auth/me', key)).toMatchObject({ email });
    expect(await read(`/v1/tools/${slug}`)).toMatchObject({ name: slug, archived: false });
    expect(await read(`/v1/tools/${slug}/prices`)).toMatchObject({ total: 2 });
    expect(await read('/v1/api-keys')).toMatchObject({ total: 2 });
    expect(await read('/v1/usage')).toMatchObject({ totals: { calls: 2 } });
    expect((await client('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200);
  });

  it('F69 refuses the tokens of a session from the moment that it has ended, refreshed or not', async (opened) => {
    const { client, ask, victim } = opened;
    const owner = await createOwner(client);
    const refreshed = await client<{ access_token: string }>('POST', '/v1/auth/refresh', { token: owner.token });
    expect((await client('POST', '/v1/auth/logout', { token: refreshed.body.access_token })).status).toBe(204);
    const areRefused = async () => {
      for (const token of [owner.token, refreshed.body.access_token])
        for (const { route } of guarded) expect((await ask(route, victim, token)).status).toBe(401);
      return true;
    };
    await eventually(areRefused, { withinMs: 1_500 });
  });

  for (const role of ['auth_api', 'billing_api', 'ingest_gateway_api']) {
    it(`F75 O5 lets ${role} see no row without an account`, async ({ product }) => {
      const url = findRunningPostgres(product.dataDir)?.urlFor(role) ?? '';
      const visible = await readRowsWithoutAccount(url);
      expect(visible.length).toBeGreaterThan(3);
      expect(visible.filter(({ rows }) => rows > 0)).toEqual([]);
    });
  }

  it('F76 writes no secret and nothing personal to its log', async ({ product, victim, stranger }) => {
    expect(product.output()).toContain('"answered"');
    for (const secret of [victim.canary, victim.token, victim.key, stranger.token, stranger.key, stranger.password])
      expect(product.output()).not.toContain(secret);
  });
});

/** A 404 may repeat the address of its request, and say that it did not find the name in it. */
function withoutAddress(problem: string): string {
  const [, address = ''] = /"instance":"([^"]*)"/.exec(problem) ?? [];
  const [name = ''] = /[\w-]{36}/.exec(address) ?? [];
  return problem.replace(address, '').replace(`\`${name}\``, '');
}

function leaksIn(answer: HttpAnswer<unknown>, victim: Owner, isPublicCatalogue: boolean): string[] {
  const secrets = { canary: victim.canary, account: victim.accountId, event: victim.eventId, key: victim.keyId };
  const text = answer.status === 404 ? withoutAddress(answer.text) : answer.text;
  const ofTool = isPublicCatalogue || text.includes('"recorded"') ? {} : { tool: `"name":"${victim.slug}"` };
  return Object.entries({ ...secrets, ...ofTool }).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
}

/** Why a credential does not open a route. The sample of `checkPass` names no live pass, which its caller hears of inside. */
function refusalOf({ status, body }: { readonly status: number; readonly body: unknown }): string | undefined {
  const code = status === 403 ? (body as Problem).code : undefined;
  return code === 'pass_refused' ? undefined : code;
}
