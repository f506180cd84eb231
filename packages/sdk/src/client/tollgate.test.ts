import { inspect } from 'node:util';
import { expect, it } from '@jest/globals';
import { operations } from '../generated/operations.ts';
import { Listing } from './listing.ts';
import { Tollgate } from './tollgate.ts';

const apiKey = `tg_live_${'k'.repeat(38)}`;

it('has one method per public route (else add it in packages/sdk/src/client)', async () => {
  const called: string[] = [];
  const answer = { next_cursor: null };
  const tollgate = new Tollgate({
    apiKey,
    fetch: (url, request) => {
      called.push(`${request?.method} ${new URL(url as string).pathname}`);
      return Promise.resolve(Response.json(answer));
    },
  });
  const { webhooks: _ofNoRoute, ...routes } = tollgate;
  for (const group of Object.values(routes) as Record<string, (...values: unknown[]) => unknown>[]) {
    for (const [name, method] of Object.entries(group)) {
      const result = method(name === 'recordBatch' ? [] : 'ID');
      await (result instanceof Listing ? result.firstPage() : result);
    }
  }
  const expected = Object.values(operations).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, 'ID')}`);
  expect(called.toSorted()).toEqual(expected.toSorted());
});

it('sends its key to no route that needs none', async () => {
  const keys: (string | null)[] = [];
  const tollgate = new Tollgate({
    apiKey,
    fetch: (_url, request) => {
      keys.push(new Headers(request?.headers).get('authorization'));
      return Promise.resolve(Response.json({}));
    },
  });
  await tollgate.service.ready();
  await tollgate.auth.login({ email: 'a@example.com', password: 'correct horse battery' });
  await tollgate.auth.account();
  expect(keys).toEqual([null, null, `Bearer ${apiKey}`]);
});

it('never shows the API key', async () => {
  const tollgate = new Tollgate({ apiKey, fetch: () => Promise.reject(new TypeError('no route')) });
  const error: unknown = await tollgate.tools.get('search', { retries: 0 }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 0, code: 'connection_failed' });
  expect(inspect([tollgate, error], { depth: 10, showHidden: true })).not.toContain(apiKey);
});

it('says what to do without an API key, before it sends anything', async () => {
  let isAsked = false;
  const fetch = (): Promise<Response> => {
    isAsked = true;
    return Promise.resolve(Response.json({}));
  };
  const error: unknown = await new Tollgate({ fetch }).tools.get('search').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'no_api_key', detail: 'Pass `apiKey`, or set TOLLGATE_API_KEY.' });
  expect(isAsked).toBe(false);
});

it('refuses an address that is none', () => {
  expect(() => new Tollgate({ url: 'tollgate.example.com' })).toThrow('must begin with http:// or https://');
});

it('keeps what callers put into paths and queries in their places', async () => {
  const urls: string[] = [];
  const tollgate = new Tollgate({
    apiKey,
    url: 'https://example.com/base/',
    fetch: (url) => {
      urls.push(url as string);
      return Promise.resolve(Response.json({ next_cursor: null, tools: [] }));
    },
  });
  await tollgate.tools.get('../auth/me?x=1');
  await tollgate.tools.list({ owner: 'all', limit: 5, cursor: 'a&b' }).firstPage();
  await tollgate.usage.get({ group_by: ['tool_id', 'success'] });
  expect(urls).toEqual([
    'https://example.com/base/v1/tools/..%2Fauth%2Fme%3Fx%3D1',
    'https://example.com/base/v1/tools?owner=all&limit=5&cursor=a%26b',
    'https://example.com/base/v1/usage?group_by=tool_id%2Csuccess',
  ]);
});
