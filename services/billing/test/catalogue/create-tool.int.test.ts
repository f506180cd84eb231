import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startOfTests, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

beforeAll(async () => {
  builder = await billing.newAccount();
});

const free = { currency: 'usd', charges: [] };
const newSlug = () => `tool-${randomUUID()}`;

function create(body: Record<string, unknown>, { token = builder.token, headers = {} } = {}) {
  const tool = { slug: newSlug(), name: 'Web search', price: free, ...body };
  return billing.send('POST', '/v1/tools', { token, headers, body: tool });
}

describe('POST /v1/tools: 201', () => {
  it('registers a tool: answers it, its place, and shows it to everybody at once', async () => {
    const slug = newSlug();
    const created = await create({ slug, name: 'Suche 🔎', description: 'Finds\nthings' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/tools/${slug}`);
    expect(created.body).toEqual({
      slug,
      name: 'Suche 🔎',
      description: 'Finds\nthings',
      price: { ...free, bill_failed_calls: false },
      default_max: null,
      archived: false,
      created_at: startOfTests,
    });
    const stranger = await billing.newAccount();
    expect((await billing.send('GET', `/v1/tools/${slug}`, stranger)).body).toEqual(created.body);
  });

  it('answers the price in full, and gateways know at once what it sums, from the beginning on', async () => {
    const tokens = { type: 'metadata_sum', key: 'tokens' };
    const tiers = [
      { up_to: '1000', unit_price_usd: '0.0100' },
      { up_to: null, unit_price_usd: '0.000000000001', flat_price_usd: '5' },
    ];
    const charges = [{ metric: tokens, model: { type: 'graduated', tiers } }];
    const slug = newSlug();
    const first = { up_to: '1000', unit_price_usd: '0.01', flat_price_usd: '0' };
    const charge = { name: null, metric: tokens, model: { type: 'graduated', tiers: [first, tiers[1]] } };
    expect(await create({ slug, price: { currency: 'usd', charges } })).toMatchObject({
      status: 201,
      body: { price: { currency: 'usd', charges: [{ ...charge, free_quantity: '0' }], bill_failed_calls: false } },
    });
    const rows = await billing.owner.query<object>(
      `select owner_id, archived_at, effective_from::text, effective_to::text, measures
       from billing.tool_directory_v1 join billing.tool_price_v1 using (tool_id) where tool_id = $1`,
      [slug],
    );
    const always = { effective_from: '-infinity', effective_to: 'infinity' };
    expect(rows).toEqual([{ owner_id: builder.accountId, archived_at: null, ...always, measures: ['tokens'] }]);
  });

  it.each(['é', 'e\u0301', 'مرحبا', '👩‍👩‍👧', ' spaces ', `'; drop table billing.tool; --`, '\r\nx: y', '__proto__'])(
    'keeps the name %j byte for byte',
    async (name) => {
      const created = await create({ name, description: name });
      expect(created).toMatchObject({ status: 201, body: { name, description: name } });
    },
  );
});

// The tests of packages/contracts cover the content of a body, and those of packages/runtime its reading.
describe('POST /v1/tools: 400, 401, 413, 415', () => {
  it.each([
    ['/slug', { slug: 'Upper' }],
    ['/price', { price: undefined }],
    ['/price/per_call_usd', { price: { per_call_usd: 0.002 } }],
  ])('points at %s', async (pointer, body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });

  it('refuses a body that is no JSON, of another type, or over 64 KiB; a stranger before it looks at the body', async () => {
    const headers = { 'content-type': 'application/json' };
    const request = { headers, rawBody: '{' };
    expect(await billing.send('POST', '/v1/tools', { ...builder, ...request })).toMatchObject({ status: 400 });
    expect(await billing.send('POST', '/v1/tools', request)).toMatchObject({ status: 401 });
    expect(await create({}, { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    expect(await create({ description: 'x'.repeat(65_536) })).toMatchObject({ status: 413 });
  });
});

describe('POST /v1/tools: 409', () => {
  it('gives a slug to one account of many at once, and never out again', async () => {
    const slug = newSlug();
    const accounts = await Promise.all(Array.from({ length: 8 }, () => billing.newAccount()));
    const answers = await Promise.all(accounts.map(({ token }) => create({ slug }, { token })));
    const isGiven = ({ status }: { status: number }) => status === 201;
    expect(answers.filter(isGiven)).toHaveLength(1);
    const taken = { status: 409, body: { code: 'slug_taken' } };
    for (const refused of answers.filter((answer) => !isGiven(answer))) expect(refused).toMatchObject(taken);
    const winner = accounts[answers.findIndex(isGiven)];
    await billing.send('POST', `/v1/tools/${slug}/archive`, { token: winner?.token ?? '' });
    expect(await create({ slug })).toMatchObject(taken);
  });
});

describe('POST /v1/tools with an Idempotency-Key', () => {
  it('answers the same again, and says so, without a second effect', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { slug: newSlug(), name: 'Once', price: free };
    const first = await create(body, { headers });
    const again = await create({ price: free, name: 'Once', slug: body.slug }, { headers });
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('answers a conflict again: a taken slug does not undo the reply', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const slug = newSlug();
    await create({ slug });
    const [first, again] = [await create({ slug }, { headers }), await create({ slug }, { headers })];
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('has one effect when many come at once: the others are in progress, or get the same', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { slug: newSlug() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body, { headers })));
    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals.length).toBeLessThan(8);
    for (const refused of refusals)
      expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
  });
});
