import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startOfTests, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;
let slug: string;

beforeAll(async () => {
  builder = await billing.newAccount();
});
beforeEach(async () => {
  slug = await billing.newTool(builder);
});

const free = { currency: 'usd', charges: [], bill_failed_calls: false };
const december = '2026-12-01T00:00:00Z';

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
