import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { encodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { authSuite, refusal } from '../support/auth-under-test.ts';

interface KeyList {
  readonly api_keys: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const auth = authSuite();
let token: string;

beforeEach(async () => {
  token = (await auth.signUp()).token;
});

const list = (query = '', bearer = token) => auth.send<KeyList>('GET', `/v1/api-keys${query}`, { token: bearer });

describe('200', () => {
  it('is empty at first', async () => {
    expect((await list()).body).toEqual({ api_keys: [], total: 0, has_more: false, next_cursor: null });
  });

  it('pages newest first, each key once, also where keys were made in one millisecond', async () => {
    auth.clock.freeze(true);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await auth.createKey(token, name);
    auth.clock.freeze(false);
    const seen: string[] = [];
    let page = await list('?limit=2');
    for (;;) {
      expect(page.body.total).toBe(5);
      seen.push(...page.body.api_keys.map((key) => key.id));
      if (!page.body.has_more) break;
      page = await list(`?limit=2&cursor=${page.body.next_cursor ?? ''}`);
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  it('shows live keys only', async () => {
    const gone = await auth.createKey(token, 'gone');
    await auth.createKey(token, 'stays');
    await auth.send('DELETE', `/v1/api-keys/${gone.id}`, { token });
    expect((await list()).body.api_keys).toMatchObject([{ name: 'stays' }]);
  });

  it('shows no key of another account, not even with its cursor', async () => {
    for (const name of ['a', 'b', 'c']) await auth.createKey(token, name);
    const { next_cursor: cursor } = (await list('?limit=1')).body;
    const stranger = (await auth.signUp()).token;
    expect((await list(`?cursor=${cursor ?? ''}`, stranger)).body).toMatchObject({ api_keys: [], total: 0 });
  });

  it('shows when a key was last used, as each service reports it of the keys that it admitted', async () => {
    const other = await auth.startBeside();
    const { key } = await auth.createKey(token, 'used');
    await auth.createKey(token, 'not used');
    auth.clock.freeze(true);
    await other.me(key);
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
  const tooLate = encodeCursor('api_keys', [8.64e15, '01900000-0000-7000-8000-000000000000']);

  it.each(['?limit=0', `?cursor=${encodeCursor('api_keys', ['x', 'y'])}`, `?cursor=${tooLate}`])(
    'refuses %s',
    async (query) => {
      expect(await list(query)).toMatchObject(refusal(400, 'invalid_request'));
    },
  );
});
