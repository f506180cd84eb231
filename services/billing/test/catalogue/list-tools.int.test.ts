import { beforeEach, describe, expect, it } from '@jest/globals';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let ada: TestAccount;
let bob: TestAccount;
let round = 0;

interface ToolList {
  readonly tools: readonly { readonly slug: string; readonly archived: boolean }[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

beforeEach(async () => {
  ada = await billing.newAccount();
  bob = await billing.newAccount();
  round += 1;
  for (let place = 0; place < 5; place += 1) {
    await billing.newTool(ada, { slug: `ada-${round}-${place}` }); // two each millisecond: the slug decides
    await billing.newTool(bob, { slug: `bob-${round}-${place}` });
    if (place % 2 === 1) billing.clock.advance(1);
  }
});

const list = (account: TestAccount, query = '') =>
  billing.send<ToolList>('GET', `/v1/tools${query}`, { token: account.token });

async function walk(account: TestAccount, query: string): Promise<{ slugs: string[]; totals: number[] }> {
  const [slugs, totals]: [string[], number[]] = [[], []];
  for (let cursor = ''; ;) {
    const { body } = await list(account, `${query}${cursor}`);
    slugs.push(...body.tools.map(({ slug }) => slug));
    totals.push(body.total);
    expect(body.has_more).toBe(body.next_cursor !== null);
    if (body.next_cursor === null) return { slugs, totals };
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

const newestFirst = (name: string) => [4, 3, 2, 1, 0].map((place) => `${name}-${round}-${place}`);

describe('GET /v1/tools: 200', () => {
  it('lists the own tools alone, newest first, archived ones too', async () => {
    await billing.send('POST', `/v1/tools/ada-${round}-2/archive`, { token: ada.token });
    const { status, body } = await list(ada);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 5, has_more: false, next_cursor: null });
    expect(body.tools.map(({ slug }) => slug)).toEqual(newestFirst('ada'));
    expect(body.tools.filter(({ archived }) => archived).map(({ slug }) => slug)).toEqual([`ada-${round}-2`]);
  });

  it.each([1, 2, 3, 4, 5])('shows each tool once in pages of %i, with the same total on all', async (limit) => {
    const { slugs, totals } = await walk(ada, `?limit=${limit}`);
    expect(slugs).toEqual(newestFirst('ada'));
    expect(new Set(totals)).toEqual(new Set([5]));
  });

  it('is empty for who owns nothing', async () => {
    const { body } = await list(await billing.newAccount());
    expect(body).toEqual({ tools: [], total: 0, has_more: false, next_cursor: null });
  });

  it('shows the public catalogue to everybody: all tools that can be called', async () => {
    await billing.send('POST', `/v1/tools/bob-${round}-1/archive`, { token: bob.token });
    const { slugs } = await walk(await billing.newAccount(), '?owner=all&limit=3');
    expect(slugs).toEqual(expect.arrayContaining(newestFirst('ada')));
    expect(slugs).toEqual(expect.arrayContaining([`bob-${round}-0`, `bob-${round}-4`]));
    expect(slugs).not.toContain(`bob-${round}-1`);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it("never shows another account's tools, whoever's cursor it is", async () => {
    const first = await list(bob, '?limit=2');
    const { body } = await list(ada, `?limit=10&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`);
    expect(body.total).toBe(5);
    expect(body.tools.every(({ slug }) => slug.startsWith('ada-'))).toBe(true);
  });

  it('does not repeat or skip what was there when new tools come between two pages', async () => {
    const first = await list(ada, '?limit=2');
    billing.clock.advance(1);
    await billing.newTool(ada, { slug: `ada-${round}-new` });
    const { body } = await list(ada, `?limit=10&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`);
    expect([...first.body.tools, ...body.tools].map(({ slug }) => slug)).toEqual(newestFirst('ada'));
  });
});

describe('GET /v1/tools: 400', () => {
  it.each([
    ['/limit', 'limit=0'],
    ['/owner', 'owner=bob'],
    ['/cursor', 'cursor=WyJhIl0'],
    ['/cursor', 'cursor='],
    ['/Limit', 'Limit=5'],
  ])('points at %s of %s', async (pointer, query) => {
    const refused = await list(ada, `?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });
});

describe('GET /v1/tools: 400 for unknown parameters', () => {
  it('asks for the parameter that was meant, on routes with and without parameters', async () => {
    const { body } = await billing.send('GET', '/v1/tools?limt=5', ada);
    expect(body['detail']).toBe('The query is not valid: /limt is not known here; did you mean `limit`?');
    const without = await billing.send('GET', '/v1/billing/account?account_id=x', ada);
    const errors = [{ pointer: '/account_id', code: 'unknown_field', message: 'is not known here; known here: none' }];
    expect(without).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
  });

  it('says nothing of parameters to callers without a credential', async () => {
    expect(await billing.send('GET', '/v1/tools?limt=5')).toMatchObject({ status: 401 });
  });
});

describe('GET /v1/tools: 401', () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', '/v1/tools')).toMatchObject({ status: 401 });
  });
});
