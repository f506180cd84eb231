import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Problem } from '@tollgate/contracts/forms/problem';
import { isServedWith, routes } from '@tollgate/contracts/routes/routes';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { asker } from './ask-route.ts';
import { createOwner, type Owner } from './owner.ts';
import { sampleOf } from './samples.ts';

const guarded = routes
  .filter((route) => route.access !== 'public' && isServedWith('sandbox')(route))
  .map((route) => ({ name: `${route.method} ${route.path}`, route }));
const ofAccounts = guarded.filter(({ route: { access } }) => access === 'account' || access === 'session');
const ending = new Set(['logout', 'endBrowserSession']);

/** The cookie of a browser as a credential, at each route of each service. A new route takes part by itself. */
describe('cookie × route', () => {
  const it = itWith(async (undo) => {
    const env = { OPERATOR_TOKEN: 'only-the-operator-of-this-test-knows-it', WRITES_PER_SECOND_MAX: '10000' };
    const product = await openProduct({ name: 'cookies', env }, undo);
    const { client } = product;
    const { origin } = new URL(product.baseUrl());
    const signIn = async ({ email, password }: Owner): Promise<string> => {
      const answer = await client('POST', '/v1/auth/session', { body: { email, password }, headers: { origin } });
      return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const [victim, stranger] = [await createOwner(client), await createOwner(client)];
    return { client, origin, signIn, victim, stranger, cookie: await signIn(stranger), ask: asker(client) };
  });

  it('F337 opens what the account’s token opens, and shows and does nothing of another account', async (opened) => {
    const { ask, victim, cookie, origin } = opened;
    const wrong: string[] = [];
    for (const { name, route } of ofAccounts.filter((each) => !ending.has(each.route.operationId))) {
      const { status, text } = await ask(route, victim, undefined, { headers: { cookie, origin } });
      const { toOthers, isPublicCatalogue } = sampleOf(route);
      if (status !== toOthers) wrong.push(`${name} answered ${status}, not ${toOthers}: ${text}`);
      if (isPublicCatalogue !== true && text.includes(victim.canary)) wrong.push(`${name} shows the other account`);
    }
    expect(wrong).toEqual([]);
  });

  it('F337 changes nothing without our own Origin, at any route', async ({ ask, victim, cookie }) => {
    const wrong: string[] = [];
    for (const { name, route } of ofAccounts.filter((each) => each.route.method !== 'GET'))
      for (const headers of [{ cookie }, { cookie, origin: 'https://evil.example' }]) {
        const { status, body } = await ask(route, victim, undefined, { headers });
        if (status !== 403 || (body as Problem).code !== 'forbidden') wrong.push(`${name} answered ${status}`);
      }
    expect(wrong).toEqual([]);
  });

  it('F337 opens nothing of the operator, of a pass, or of a token', async ({ ask, victim, cookie, origin }) => {
    const refusals: Partial<Record<string, number>> = { operator: 404, pass: 403, refresh: 401 };
    const wrong: string[] = [];
    for (const { name, route } of guarded.filter(({ route: { access } }) => refusals[access] !== undefined)) {
      const { status } = await ask(route, victim, undefined, { headers: { cookie, origin } });
      if (status !== refusals[route.access]) wrong.push(`${name} answered ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('F337 has the key of a pass again for its own repeat', async ({ client, cookie, origin }) => {
    const headers = { cookie, origin, 'idempotency-key': randomUUID() };
    const create = () => client<{ key: string }>('POST', '/v1/passes', { headers, body: { name: 'p', tools: '*' } });
    const [first, again] = [await create(), await create()];
    expect(first.body.key).toMatch(/^tg_pass_/);
    expect(again.body).toEqual(first.body);
  });

  it('F338 is refused by each service within a second of the sign-out', async (opened) => {
    const { client, ask, signIn, victim, stranger, origin } = opened;
    const cookie = await signIn(stranger);
    const reads = ofAccounts.filter(({ route }) => route.method === 'GET' && route.access === 'account');
    expect(new Set(reads.map(({ route }) => route.service)).size).toBe(4);
    for (const { route } of reads) await ask(route, victim, undefined, { headers: { cookie } });
    expect((await client('DELETE', '/v1/auth/session', { headers: { cookie, origin } })).status).toBe(204);
    const areRefused = async () => {
      for (const { route } of reads)
        if ((await ask(route, victim, undefined, { headers: { cookie } })).status !== 401) return false;
      return true;
    };
    await eventually(areRefused, { withinMs: 1_500 });
  });
});
