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

const priceOf = (charge: object) => ({ currency: 'usd', charges: [{ metric: { type: 'calls' }, ...charge }] });
const perUnit = (unitPrice: unknown) => ({ model: { type: 'per_unit', unit_price_usd: unitPrice } });
const tiers = (...list: object[]) => ({ model: { type: 'graduated', tiers: list } });

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
      price: { currency: 'usd', charges: [], bill_failed_calls: false },
      archived: false,
      created_at: startOfTests,
    });
    const stranger = await billing.newAccount();
    expect((await billing.send('GET', `/v1/tools/${slug}`, stranger)).body).toEqual(created.body);
  });

  it('is known to gateways at once: in the directory, with its first price without a lower bound', async () => {
    const slug = newSlug();
    await create({ slug, price: priceOf({ metric: { type: 'metadata_sum', key: 'tokens' }, ...perUnit('1') }) });
    const [row] = await billing.owner.query<object>(
      `select owner_id, archived_at, effective_from::text, effective_to::text, measures
       from billing.tool_directory_v1 join billing.tool_price_v1 using (tool_id) where tool_id = $1`,
      [slug],
    );
    expect(row).toEqual({
      owner_id: builder.accountId,
      archived_at: null,
      effective_from: '-infinity',
      effective_to: 'infinity',
      measures: ['tokens'],
    });
  });

  it.each([
    [
      'a shorthand',
      { per_call_usd: '0.0020' },
      [{ metric: { type: 'calls' }, model: { type: 'per_unit', unit_price_usd: '0.002' } }],
    ],
    [
      'calls per unit, some free',
      {
        currency: 'usd',
        charges: [{ name: 'Calls', metric: { type: 'calls' }, ...perUnit('1.50'), free_quantity: '100.0' }],
      },
      [
        {
          name: 'Calls',
          metric: { type: 'calls' },
          model: { type: 'per_unit', unit_price_usd: '1.5' },
          free_quantity: '100',
        },
      ],
    ],
    [
      'a sum of metadata in graduated tiers',
      priceOf({
        metric: { type: 'metadata_sum', key: 'tokens' },
        ...tiers(
          { up_to: '1000', unit_price_usd: '0.01' },
          { up_to: null, unit_price_usd: '0.000000000001', flat_price_usd: '5' },
        ),
      }),
      [
        {
          metric: { type: 'metadata_sum', key: 'tokens' },
          model: {
            type: 'graduated',
            tiers: [
              { up_to: '1000', unit_price_usd: '0.01', flat_price_usd: '0' },
              { up_to: null, unit_price_usd: '0.000000000001', flat_price_usd: '5' },
            ],
          },
        },
      ],
    ],
    [
      'volume tiers of time',
      priceOf({
        metric: { type: 'duration_ms' },
        model: { type: 'volume', tiers: [{ up_to: null, unit_price_usd: '0' }] },
      }),
      [
        {
          metric: { type: 'duration_ms' },
          model: { type: 'volume', tiers: [{ up_to: null, unit_price_usd: '0', flat_price_usd: '0' }] },
        },
      ],
    ],
    [
      'packages',
      priceOf({ model: { type: 'package', size: '1000', package_price_usd: '999999999999.999999999999' } }),
      [
        {
          metric: { type: 'calls' },
          model: { type: 'package', size: '1000', package_price_usd: '999999999999.999999999999' },
        },
      ],
    ],
  ])('takes %s and answers the price in full', async (_what, price, charges) => {
    const created = await create({ price });
    expect(created.status).toBe(201);
    const defaults = { name: null, free_quantity: '0' };
    const inFull = charges.map((charge) => ({ ...defaults, ...charge }));
    expect(created.body).toMatchObject({ price: { currency: 'usd', charges: inFull, bill_failed_calls: false } });
  });

  it.each(['é', 'e\u0301', 'مرحبا', '👩‍👩‍👧', ' spaces ', `'; drop table billing.tool; --`, '\r\nx: y', '__proto__'])(
    'keeps the name %j byte for byte',
    async (name) => {
      expect(await create({ name, description: name })).toMatchObject({
        status: 201,
        body: { name, description: name },
      });
    },
  );
});

describe('POST /v1/tools: 400', () => {
  it.each([
    ['/slug', { slug: undefined }],
    ['/slug', { slug: null }],
    ...['', 'Upper', '-a', 'a-', 'a_b', 'a b', 'é', `${'a'.repeat(64)}`, 'a\n', 7].map(
      (slug) => ['/slug', { slug }] as const,
    ),
    ['/name', { name: '' }],
    ['/name', { name: '🔎'.repeat(201) }],
    ['/description', { description: 'x'.repeat(2001) }],
    ['/price', { price: undefined }],
    ['/price', { price: [] }],
    ['/price/currency', { price: { charges: [] } }],
    ['/price/currency', { price: { currency: 'eur', charges: [] } }],
    ['/price/charges', { price: { currency: 'usd' } }],
    [
      '/price/charges',
      { price: { currency: 'usd', charges: Array(9).fill({ metric: { type: 'calls' }, ...perUnit('1') }) } },
    ],
    ['/price/per_call_usd', { price: { per_call_usd: 0.002 } }],
    ['/price/per_call_usd', { price: { per_call_usd: '-1' } }],
    ['/price/currency', { price: { per_call_usd: '1', currency: 'usd' } }],
    ['/price/bill_failed_calls', { price: { ...free, bill_failed_calls: 'no' } }],
    ['/price/free_quantity', { price: { ...free, free_quantity: '1' } }],
    ['/price/charges/0/metric/type', { price: priceOf({ metric: { type: 'bytes' }, ...perUnit('1') }) }],
    ['/price/charges/0/metric/key', { price: priceOf({ metric: { type: 'metadata_sum' }, ...perUnit('1') }) }],
    [
      '/price/charges/0/metric/key',
      { price: priceOf({ metric: { type: 'metadata_sum', key: 'k'.repeat(65) }, ...perUnit('1') }) },
    ],
    ['/price/charges/0/model', { price: priceOf({}) }],
    ['/price/charges/0/model/type', { price: priceOf({ model: { type: 'flat' } }) }],
    ['/price/charges/0/model/unit_price_usd', { price: priceOf(perUnit('1000000000000')) }],
    ['/price/charges/0/model/unit_price_usd', { price: priceOf(perUnit('0.0000000000001')) }],
    ['/price/charges/0/model/unit_price_usd', { price: priceOf(perUnit('1e3')) }],
    ['/price/charges/0/model/unit_price_usd', { price: priceOf(perUnit(1)) }],
    [
      '/price/charges/0/model/size',
      { price: priceOf({ model: { type: 'package', size: '0', package_price_usd: '1' } }) },
    ],
    ['/price/charges/0/model/tiers', { price: priceOf(tiers()) }],
    ['/price/charges/0/model/tiers/0/up_to', { price: priceOf(tiers({ up_to: '10', unit_price_usd: '1' })) }],
    [
      '/price/charges/0/model/tiers/0/up_to',
      { price: priceOf(tiers({ up_to: null, unit_price_usd: '1' }, { up_to: null, unit_price_usd: '1' })) },
    ],
    [
      '/price/charges/0/model/tiers/1/up_to',
      {
        price: priceOf(
          tiers(
            { up_to: '10', unit_price_usd: '1' },
            { up_to: '10.0', unit_price_usd: '1' },
            { up_to: null, unit_price_usd: '1' },
          ),
        ),
      },
    ],
    ['/price/charges/0/free_quantity', { price: priceOf({ ...perUnit('1'), free_quantity: '-1' }) }],
    ['/price/charges/0/fre_quantity', { price: priceOf({ ...perUnit('1'), fre_quantity: '1' }) }],
  ])('points at %s', async (pointer, body) => {
    const refused = await create(body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'invalid_request',
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
    });
  });

  it.each(['', '{', '[1', '"text"', '[]', 'null', '{"slug":"a\\u0000"}', '{"name":"\\ud800"}'])(
    'refuses the body %s',
    async (rawBody) => {
      const headers = { 'content-type': 'application/json' };
      const refused = await billing.send('POST', '/v1/tools', { token: builder.token, headers, rawBody });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  it('refuses an Idempotency-Key of more than 255 characters', async () => {
    expect(await create({}, { headers: { 'idempotency-key': 'k'.repeat(256) } })).toMatchObject({ status: 400 });
  });
});

describe('POST /v1/tools: 401', () => {
  it.each([undefined, 'nonsense', 'tg_live_nonsense'])(
    'refuses the credential %s before it looks at the body',
    async (token) => {
      const refused = await billing.send('POST', '/v1/tools', { ...(token && { token }), rawBody: '{' });
      expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );
});

describe('POST /v1/tools: 409', () => {
  it('gives a slug to one account of many at once, and never out again', async () => {
    const slug = newSlug();
    const accounts = await Promise.all(Array.from({ length: 8 }, () => billing.newAccount()));
    const answers = await Promise.all(accounts.map(({ token }) => create({ slug }, { token })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409, 409, 409,
    ]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'slug_taken' });
    const winner = accounts[answers.findIndex(({ status }) => status === 201)];
    await billing.send('POST', `/v1/tools/${slug}/archive`, { token: winner?.token ?? '' });
    expect(await create({ slug })).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
  });
});

describe('POST /v1/tools: 413, 415', () => {
  it('refuses a body over 64 KiB', async () => {
    expect(await create({ description: 'x'.repeat(65_536) })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  });

  it.each(['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'])(
    'refuses %s',
    async (type) => {
      const refused = await create({}, { headers: { 'content-type': type } });
      expect(refused).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    },
  );
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

  it('answers a conflict again, even where the slug would be free by now', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const slug = newSlug();
    await create({ slug });
    const first = await create({ slug }, { headers });
    const again = await create({ slug }, { headers });
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses another body under the same key with 422, and registers nothing', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const slug = newSlug();
    await create({}, { headers });
    expect(await create({ slug }, { headers })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await billing.send('GET', `/v1/tools/${slug}`, builder)).toMatchObject({ status: 404 });
  });

  it('keeps the keys of accounts apart', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const other = await billing.newAccount();
    await create({}, { headers });
    const theirs = await create({}, { headers, token: other.token });
    expect(theirs.status).toBe(201);
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
  });

  it('has one effect when many come at once: the others are told to wait, or get the same', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { slug: newSlug(), name: 'Once', price: free };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body, { headers })));
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals.map(({ status, body: { code } }) => ({ status, code }))).toEqual(
      refusals.map(() => ({ status: 409, code: 'idempotency_in_progress' })),
    );
  });
});
