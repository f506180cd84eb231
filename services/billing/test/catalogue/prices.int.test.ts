import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, startOfTests, useBilling } from '../support/start-billing.ts';
import { putRollup } from '../support/put-rollup.ts';

let builder: TestAccount;

const free = { currency: 'usd', charges: [], bill_failed_calls: false };
const december = '2026-12-01T00:00:00Z';

interface PriceList {
  readonly prices: readonly { readonly id: string; readonly effective_from: string | null }[];
  readonly next_cursor: string | null;
}

const market = useBilling({ settings: { PRICE_MAX_USD: '2.5', PRICE_RISE_NOTICE_DAYS: '30' } });

const hour = '2026-11-21T14:00:00Z'; // the clock stands at 12:34:56.789
const afterNotice = '2026-12-21T13:00:00Z';

function addPrice(slug: string, { token }: TestAccount, price: object, effectiveFrom = hour) {
  return market.send('POST', `/v1/tools/${slug}/prices`, { token, body: { price, effective_from: effectiveFrom } });
}

async function openTool({ isUsed = true, price = { per_call_usd: '1' } as object } = {}) {
  const builder = await market.newAccount();
  const slug = await market.newTool(builder, { price });
  const { accountId: consumerId } = isUsed ? await market.newAccount() : builder;
  await putRollup(market.owner, { consumerId, tool: slug, hour: '2026-11-21T10:00:00Z' });
  return { builder, slug };
}

describe('create price version', () => {
  const billing = useBilling();
  let slug: string;

  beforeAll(async () => {
    builder = await billing.newAccount();
  });
  beforeEach(async () => {
    slug = await billing.newTool(builder);
  });

  function add(effectiveFrom: string, { token = builder.token, headers = {}, price = free as object } = {}) {
    const body = { price, effective_from: effectiveFrom };
    return billing.send('POST', `/v1/tools/${slug}/prices`, { token, headers, body });
  }

  describe('POST /v1/tools/{slug}/prices: 201', () => {
    it.each([
      ['2026-11-21T14:00:00Z', '2026-11-21T14:00:00.000Z'], // the clock stands at 12:34:56.789
      ['2026-11-21T20:30:00+05:30', '2026-11-21T15:00:00.000Z'],
      ['2031-01-01T00:00:00.000999Z', '2031-01-01T00:00:00.000Z'],
    ])('takes a price from %s on, and answers it in UTC', async (effectiveFrom, expected) => {
      const { status, body } = await add(effectiveFrom);
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), price: free, effective_from: expected, created_at: startOfTests });
    });

    it('ends the version before it where it begins, in the directory too', async () => {
      const model = { type: 'per_unit', unit_price_usd: '1' };
      const charges = ['tokens', 'pages', 'tokens'].map((key) => ({ metric: { type: 'metadata_sum', key }, model }));
      await add(december, { price: { currency: 'usd', charges } });
      const rows = await billing.owner.query<object>(
        `select effective_from::text, effective_to::text, measures from billing.tool_price_v1 where tool_id = $1 order by 1`,
        [slug],
      );
      expect(rows).toEqual([
        { effective_from: '-infinity', effective_to: '2026-12-01 00:00:00+00', measures: [] },
        { effective_from: '2026-12-01 00:00:00+00', effective_to: 'infinity', measures: ['pages', 'tokens'] },
      ]);
    });

    it('answers the same Idempotency-Key again', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await add(december, { headers });
      const again = await add(december, { headers });
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });
  });

  describe('POST /v1/tools/{slug}/prices: 400, 404', () => {
    it.each([
      ['too_soon', '2026-11-21T13:00:00Z'],
      ['not_on_the_hour', '2026-12-01T00:30:00Z'],
    ])('calls it %s: %s', async (code, effectiveFrom) => {
      const errors = [{ pointer: '/effective_from', code }];
      expect(await add(effectiveFrom)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
    });

    it("adds no price to another account's tool, and never says 403", async () => {
      const refused = await add(december, await billing.newAccount());
      expect(refused).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
      expect((await billing.send('GET', `/v1/tools/${slug}/prices`, builder)).body).toMatchObject({ total: 1 });
    });
  });

  describe('POST /v1/tools/{slug}/prices: 409', () => {
    it('never replaces a version: of many for one hour, one is added', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => add(december)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'effective_from_taken' });
    });

    it('adds none to an archived tool', async () => {
      await billing.send('POST', `/v1/tools/${slug}/archive`, builder);
      expect(await add(december)).toMatchObject({ status: 409, body: { code: 'tool_archived' } });
    });
  });

  describe('caps', () => {
    const small = useBilling({ settings: { TOOLS_PER_ACCOUNT_MAX: '2', PRICE_VERSIONS_PER_TOOL_MAX: '2' } });

    it('F114 refuses more price versions and tools than the settings allow, and says how many', async () => {
      const { token } = await small.newAccount();
      const register = (name: string) =>
        small.send('POST', '/v1/tools', { token, body: { slug: name, name, price: free } });
      const addTo = (name: string, at: string) =>
        small.send('POST', `/v1/tools/${name}/prices`, { token, body: { price: free, effective_from: at } });
      const [one, other] = [randomUUID(), randomUUID()];
      expect([(await register(one)).status, (await register(other)).status]).toEqual([201, 201]);
      expect(await register(randomUUID())).toMatchObject({
        status: 422,
        body: { code: 'too_many_tools', detail: expect.stringContaining('at most 2 tools') },
      });
      expect((await addTo(one, december)).status).toBe(201);
      expect(await addTo(one, '2027-01-01T00:00:00Z')).toMatchObject({
        status: 422,
        body: { code: 'too_many_price_versions', detail: expect.stringContaining('at most 2 price versions') },
      });
      expect((await addTo(other, december)).status).toBe(201);
    });
  });
});

describe('GET /v1/tools/{slug}/prices', () => {
  const billing = useBilling();

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

describe('the bounds of prices in a public market', () => {
  it('F146 refuse any amount above the bound, in a first price and in a later one, with the number', async () => {
    const { builder, slug } = await openTool({ isUsed: false });
    const refused = {
      status: 422,
      body: {
        code: 'price_too_high',
        detail: 'No amount of a price may be above 2.5 USD.',
        errors: [{ pointer: '/price' }],
      },
    };
    const tiers = [{ up_to: null, unit_price_usd: '0', flat_price_usd: '2.500000000001' }];
    const charges = [
      { metric: { type: 'calls' }, model: { type: 'per_unit', unit_price_usd: '2.5' } },
      { metric: { type: 'calls' }, model: { type: 'volume', tiers } },
    ];
    expect(await addPrice(slug, builder, { per_call_usd: '2.51' })).toMatchObject(refused);
    expect(await addPrice(slug, builder, { currency: 'usd', charges })).toMatchObject(refused);
    const body = { slug: 'dear', name: 'Dear', price: { per_call_usd: '3' } };
    expect(await market.send('POST', '/v1/tools', { token: builder.token, body })).toMatchObject(refused);
    expect((await addPrice(slug, builder, { per_call_usd: '2.5' })).status).toBe(201);
  });

  it('F146 let a rise begin only after its notice, if somebody else has used the tool', async () => {
    const { builder, slug } = await openTool();
    expect(await addPrice(slug, builder, { per_call_usd: '1.01' }, '2026-12-21T12:00:00Z')).toMatchObject({
      status: 422,
      body: {
        code: 'price_rise_too_soon',
        detail: expect.stringContaining('2026-12-21T13:00:00.000Z'),
        errors: [{ pointer: '/effective_from', code: 'too_soon' }],
      },
    });
    expect((await addPrice(slug, builder, { per_call_usd: '1.01' }, afterNotice)).status).toBe(201);
    expect((await addPrice(slug, builder, { per_call_usd: '1' })).status).toBe(201);
    expect((await addPrice(slug, builder, { per_call_usd: '0.5' }, '2026-11-21T15:00:00Z')).status).toBe(201);
  });

  it('F146 compare a rise with the price at its hour: a price that was lowered first needs notice again', async () => {
    const { builder, slug } = await openTool();
    expect((await addPrice(slug, builder, { per_call_usd: '0.5' })).status).toBe(201);
    const back = await addPrice(slug, builder, { per_call_usd: '1' }, '2026-11-21T15:00:00Z');
    expect(back).toMatchObject({ status: 422, body: { code: 'price_rise_too_soon' } });
    expect((await addPrice(slug, builder, { per_call_usd: '2' }, afterNotice)).status).toBe(201);
    expect((await addPrice(slug, builder, { per_call_usd: '1.5' }, '2026-12-21T14:00:00Z')).status).toBe(201);
  });

  it('F146 ask for no notice while only its builder has called the tool', async () => {
    const { builder, slug } = await openTool({ isUsed: false });
    expect((await addPrice(slug, builder, { per_call_usd: '2' })).status).toBe(201);
  });
});

describe('a catalogue without these settings', () => {
  const own = useBilling();

  it('F268 takes a price up to 10,000 USD an hour ahead', async () => {
    const builder = await own.newAccount();
    const slug = await own.newTool(builder);
    const { accountId: consumerId } = await own.newAccount();
    await putRollup(own.owner, { consumerId, tool: slug, hour: '2026-11-21T10:00:00Z' });
    const statusOf = async (usd: string) => {
      const body = { price: { per_call_usd: usd }, effective_from: hour };
      return (await own.send('POST', `/v1/tools/${slug}/prices`, { token: builder.token, body })).status;
    };
    expect([await statusOf('10000.01'), await statusOf('10000')]).toEqual([422, 201]);
  });
});
