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
  slug = `tool-${randomUUID()}`;
  await billing.send('POST', '/v1/tools', {
    ...builder,
    body: { slug, name: 'Tool', price: { per_call_usd: '0.01' } },
  });
});

const price = { currency: 'usd', charges: [], bill_failed_calls: false };

function add(
  effectiveFrom: unknown,
  request: { token?: string; headers?: Record<string, string>; price?: unknown } = {},
) {
  const { token = builder.token, headers = {} } = request;
  const body = { price: request.price ?? price, effective_from: effectiveFrom };
  return billing.send('POST', `/v1/tools/${slug}/prices`, { token, headers, body });
}

describe('POST /v1/tools/{slug}/prices: 201', () => {
  it.each([
    ['2026-11-21T14:00:00Z', '2026-11-21T14:00:00.000Z'], // the clock stands at 12:34:56.789
    ['2026-11-21T20:30:00+05:30', '2026-11-21T15:00:00.000Z'],
    ['2031-01-01T00:00:00.000999Z', '2031-01-01T00:00:00.000Z'],
  ])('takes a price from %s on, and answers it in UTC', async (effectiveFrom, expected) => {
    const added = await add(effectiveFrom);
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ id: expect.any(String), price, effective_from: expected, created_at: startOfTests });
  });

  it('ends the version before it where it begins, in the directory too', async () => {
    await add('2026-12-01T00:00:00Z', {
      price: { currency: 'usd', charges: [charge('tokens'), charge('pages'), charge('tokens')] },
    });
    const rows = await billing.owner.query<object>(
      `select effective_from::text, effective_to::text, measures from billing.tool_price_v1 where tool_id = $1 order by 1`,
      [slug],
    );
    expect(rows).toEqual([
      { effective_from: '-infinity', effective_to: '2026-12-01 00:00:00+00', measures: [] },
      { effective_from: '2026-12-01 00:00:00+00', effective_to: 'infinity', measures: ['pages', 'tokens'] },
    ]);
  });

  it('answers the same Idempotency-Key again, however late', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await add('2026-12-02T00:00:00Z', { headers });
    const again = await add('2026-12-02T00:00:00Z', { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

const charge = (key: string) => ({
  metric: { type: 'metadata_sum', key },
  model: { type: 'per_unit', unit_price_usd: '1' },
});

describe('POST /v1/tools/{slug}/prices: 400', () => {
  it.each([
    ['too_soon', '2026-11-21T13:00:00Z'],
    ['too_soon', '2026-11-21T12:00:00Z'],
    ['too_soon', '2020-01-01T00:00:00Z'],
    ['not_on_the_hour', '2026-12-01T00:30:00Z'],
    ['not_on_the_hour', '2026-12-01T00:00:00.001Z'],
    ['invalid_timestamp', '2026-12-01'],
    ['invalid_timestamp', '2026-12-01T00:00:00'],
    ['required', undefined],
  ])('calls it %s: %s', async (code, effectiveFrom) => {
    const refused = await add(effectiveFrom);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/effective_from', code }] },
    });
  });

  it('points into the price', async () => {
    const refused = await add('2026-12-01T00:00:00Z', { price: { per_call_usd: 1 } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/price/per_call_usd' }] } });
  });
});

describe('POST /v1/tools/{slug}/prices: 404', () => {
  it("adds no price to another account's tool, and never says 403", async () => {
    const stranger = await billing.newAccount();
    expect(await add('2026-12-01T00:00:00Z', stranger)).toMatchObject({
      status: 404,
      body: { code: 'tool_not_found' },
    });
    expect((await billing.send('GET', `/v1/tools/${slug}/prices`, builder)).body).toMatchObject({ total: 1 });
  });
});

describe('POST /v1/tools/{slug}/prices: 409', () => {
  it('never replaces a version: of many for one hour, one is added', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add('2026-12-01T00:00:00Z')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'effective_from_taken' });
  });

  it('adds none to an archived tool', async () => {
    await billing.send('POST', `/v1/tools/${slug}/archive`, builder);
    expect(await add('2026-12-01T00:00:00Z')).toMatchObject({ status: 409, body: { code: 'tool_archived' } });
  });
});
