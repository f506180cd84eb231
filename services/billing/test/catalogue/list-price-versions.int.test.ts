import { beforeAll, describe, expect, it } from '@jest/globals';
import { startOfTests, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

interface PriceList {
  readonly prices: readonly { readonly id: string; readonly effective_from: string | null }[];
  readonly next_cursor: string | null;
}

beforeAll(async () => {
  builder = await billing.newAccount();
  await billing.newTool(builder, { slug: 'tool' });
  await billing.newTool(builder, { slug: 'other' });
  for (const month of ['03', '01', '02']) {
    billing.clock.advance(1);
    const body = { price: { per_call_usd: '0.02' }, effective_from: `2027-${month}-01T00:00:00Z` };
    await billing.send('POST', '/v1/tools/tool/prices', { ...builder, body });
  }
});

const list = (query = '', { token } = builder, slug = 'tool') =>
  billing.send<PriceList>('GET', `/v1/tools/${slug}/prices${query}`, { token });

describe('GET /v1/tools/{slug}/prices', () => {
  it('200: shows every account all versions, the latest made first; the first one has no lower bound', async () => {
    const { status, body } = await list('', await billing.newAccount());
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 4, has_more: false, next_cursor: null });
    const starts = ['2027-02-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z', null];
    expect(body.prices.map((version) => version.effective_from)).toEqual(starts);
    expect(body.prices.at(-1)).toMatchObject({ created_at: startOfTests });
  });

  it('200: shows each version once over pages', async () => {
    const first = await list('?limit=3');
    const second = await list(`?limit=3&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`);
    expect(new Set([...first.body.prices, ...second.body.prices].map(({ id }) => id)).size).toBe(4);
    expect(second.body).toMatchObject({ total: 4, has_more: false, next_cursor: null });
  });

  it.each(['?limit=0', '?cursor=x'])('400: %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('404: an unknown tool', async () => {
    expect(await list('', builder, 'unknown')).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
  });
});
