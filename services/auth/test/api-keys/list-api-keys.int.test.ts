import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { encodeCursor } from '@tollgate/runtime/http/cursor';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

interface KeyList {
  readonly api_keys: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

let auth: AuthUnderTest;
let token: string;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());
beforeEach(async () => {
  token = (await auth.signUp()).token;
});

const list = (query = '', bearer = token) => auth.send<KeyList>('GET', `/v1/api-keys${query}`, { token: bearer });
const create = async (name: string) =>
  (await auth.send<{ id: string }>('POST', '/v1/api-keys', { token, body: { name } })).body.id;
const names = (page: { body: KeyList }) => page.body.api_keys.map((key) => key.name);

describe('200', () => {
  it('is empty at first', async () => {
    expect((await list()).body).toEqual({ api_keys: [], total: 0, has_more: false, next_cursor: null });
  });

  it('pages newest first, each key once, also where keys were made in one millisecond', async () => {
    auth.clock.freeze(true);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
    auth.clock.freeze(false);
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const page = await list(query);
      expect(page.body.total).toBe(5);
      seen.push(...page.body.api_keys.map((key) => key.id));
      if (!page.body.has_more) break;
      query = `?limit=2&cursor=${page.body.next_cursor ?? ''}`;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  it('shows live keys only', async () => {
    const gone = await create('gone');
    await create('stays');
    await auth.send('DELETE', `/v1/api-keys/${gone}`, { token });
    expect(names(await list())).toEqual(['stays']);
  });

  it('shows no key of another account, not even with its cursor', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const { next_cursor: cursor } = (await list('?limit=1')).body;
    const stranger = (await auth.signUp()).token;
    expect((await list(`?cursor=${cursor ?? ''}`, stranger)).body).toMatchObject({ api_keys: [], total: 0 });
  });

  it('shows when a key was last used, as each service reports it of those that it let in', async () => {
    const other = await startAuth({ beside: auth });
    const { body: key } = await auth.send<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'used' } });
    await create('not used');
    auth.clock.freeze(true);
    await other.send('GET', '/v1/auth/me', { token: key.key });
    await other.stop(); // it reports once a minute, and once more when it stops
    const usedAt = toIso(auth.clock.now());
    auth.clock.freeze(false);
    expect((await list()).body.api_keys).toMatchObject([
      { name: 'not used', last_used_at: null },
      { name: 'used', last_used_at: usedAt },
    ]);
  });
});

describe('400', () => {
  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?limit=1&limit=2',
    '?cursor=',
    '?cursor=abc',
    `?cursor=${encodeCursor(['x', 'y'])}`,
    `?cursor=${encodeCursor([8.64e15, '01900000-0000-7000-8000-000000000000'])}`,
  ])('refuses %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('403', () => {
  it('lets no key see keys', async () => {
    const { body } = await auth.send<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'k' } });
    expect(await list('', body.key)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});
