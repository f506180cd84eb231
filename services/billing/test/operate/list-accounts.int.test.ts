import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { operatorToken as token, useBilling } from '../support/start-billing.ts';

const path = '/v1/operator/accounts';

interface AccountList {
  readonly accounts: readonly { readonly account_id: string; readonly email: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

const billing = useBilling();
let newestFirst: string[];
beforeAll(async () => {
  const made = [];
  for (let place = 0; place < 5; place += 1) made.push((await billing.newAccount()).accountId); // all at one time
  newestFirst = made.toSorted().toReversed();
});

const list = async (query = '') => (await billing.send<AccountList>('GET', `${path}${query}`, { token })).body;
const find = (name: string) => billing.send<{ email: string }>('GET', `${path}/${name}`, { token });

describe(`GET ${path}`, () => {
  it.each([1, 2, 3, 5])('shows each once in pages of %i, with the same total on all', async (limit) => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`?limit=${limit}${cursor}`);
      ids.push(...page.accounts.map(({ account_id }) => account_id));
      expect(page.total).toBe(5);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(ids).toEqual(newestFirst);
  });

  it('finds one by its e-mail, however that is written', async () => {
    const [account] = (await list('?limit=1')).accounts;
    const found = await list(`?email=%20${account?.email.toUpperCase()}`);
    expect(found).toMatchObject({ accounts: [account], total: 1, next_cursor: null });
    expect(await list('?email=nobody@example.com')).toMatchObject({ accounts: [], total: 0 });
  });

  it.each([
    ['/limit', 'limit=101'],
    ['/cursor', 'cursor=WyJhIl0'],
    ['/email', 'email=nobody'],
  ])('400: points at %s of %s', async (pointer, query) => {
    const refused = await billing.send('GET', `${path}?${query}`, { token });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });
});

describe(`GET ${path}/{account_id}`, () => {
  it('finds an account by its id', async () => {
    const [account_id = ''] = newestFirst;
    expect(await find(account_id)).toMatchObject({ status: 200, body: { account_id } });
  });

  it.each([randomUUID(), 'nobody@example.com', 'nobody', '%27%20or%201=1'])('404: finds no %s', async (name) => {
    expect(await find(name)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
