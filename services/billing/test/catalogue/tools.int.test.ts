import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { type TestAccount, startOfTests, useBilling } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

const free = { currency: 'usd', charges: [] };
const newSlug = () => `tool-${randomUUID()}`;

function create(body: Record<string, unknown>, { token = builder.token, headers = {} } = {}) {
  const tool = { slug: newSlug(), name: 'Web search', price: free, ...body };
  return billing.send('POST', '/v1/tools', { token, headers, body: tool });
}
let slug: string;

const update = (body: unknown, { token } = builder) => billing.send('PATCH', `/v1/tools/${slug}`, { token, body });
const shown = async () => (await billing.send('GET', `/v1/tools/${slug}`, builder)).body;

const archive = (request: object = builder) => billing.send('POST', `/v1/tools/${slug}/archive`, request);

/** As gateways read it, with the number by which they know what changed since. */
async function inDirectory() {
  const [row] = await billing.owner.query<{ archived_at: Date | null; changed_seq: bigint }>(
    'select archived_at, changed_seq from billing.tool_directory_v1 where tool_id = $1',
    [slug],
  );
  return { archivedAtMs: row?.archived_at?.getTime() ?? null, changedSeq: row?.changed_seq ?? 0n };
}

const perCall = (unitPriceUsd: string) => {
  const model = { type: 'per_unit', unit_price_usd: unitPriceUsd };
  const charge = { name: null, metric: { type: 'calls' }, model, free_quantity: '0' };
  return { currency: 'usd', charges: [charge], bill_failed_calls: false };
};

describe('create tool', () => {
  beforeAll(async () => {
    builder = await billing.newAccount();
  });

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
        sold_by: null,
        price: { ...free, bill_failed_calls: false },
        default_max: null,
        resource: null,
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
      expect(await create(body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ pointer }] },
      });
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
});

describe('update tool', () => {
  beforeAll(async () => {
    builder = await billing.newAccount();
  });

  beforeEach(async () => {
    slug = `tool-${randomUUID()}`;
    const body = { slug, name: 'Before', description: 'As it was', price: { per_call_usd: '0.01' } };
    await billing.send('POST', '/v1/tools', { ...builder, body });
  });

  describe('PATCH /v1/tools/{slug}: 200', () => {
    const max = { duration_ms: 2_000, metadata: { tokens: 4000.5 } };

    it.each([
      ['the name', { name: 'After' }, { name: 'After', description: 'As it was' }],
      ['the description', { description: 'New' }, { name: 'Before', description: 'New' }],
      ['both', { name: 'After', description: '' }, { name: 'After', description: '' }],
      ['the default bound', { default_max: max }, { name: 'Before', description: 'As it was', default_max: max }],
      ['nothing', {}, { name: 'Before', description: 'As it was' }],
      ['nothing by null', { description: null }, { name: 'Before', description: 'As it was' }],
    ])('changes %s, and leaves the rest', async (_what, changes, expected) => {
      const changed = await update(changes);
      expect(changed).toMatchObject({ status: 200, body: expected });
      expect(await shown()).toEqual(changed.body);
    });
  });

  describe('the default bound of a tool', () => {
    it('stays until `{}` removes it, in the catalogue and in what gateways read', async () => {
      const read = 'select default_max from billing.tool_directory_v1 where tool_id = $1';
      const max = { metadata: { tokens: 4_000 } };
      await update({ default_max: max });
      await update({ name: 'After', default_max: null });
      expect(await shown()).toMatchObject({ name: 'After', default_max: max });
      expect(await billing.owner.query(read, [slug])).toEqual([{ default_max: max }]);
      expect(await update({ default_max: {} })).toMatchObject({ status: 200, body: { default_max: null } });
      expect(await billing.owner.query(read, [slug])).toEqual([{ default_max: null }]);
    });

    it('is set with the tool, and an empty one is none', async () => {
      const create = (default_max: object) =>
        billing.send('POST', '/v1/tools', {
          ...builder,
          body: { slug: `tool-${randomUUID()}`, name: 'A', price: { per_call_usd: '0.01' }, default_max },
        });
      expect(await create({ duration_ms: 10 })).toMatchObject({
        status: 201,
        body: { default_max: { duration_ms: 10 } },
      });
      expect(await create({})).toMatchObject({ status: 201, body: { default_max: null } });
    });
  });

  describe('PATCH /v1/tools/{slug}: 400', () => {
    const keys = Array.from({ length: 21 }, (_, index) => `key-${index}`);

    it.each([
      ['/name', { name: '' }],
      ['/name', { name: null }],
      ['/name', { name: 5 }],
      ['/name', { name: 'x'.repeat(201) }],
      ['/description', { description: 'x'.repeat(2_001) }],
      ['/default_max', { default_max: 5 }],
      ['/default_max/calls', { default_max: { calls: 5 } }],
      ['/default_max/duration_ms', { default_max: { duration_ms: 1.5 } }],
      ['/default_max/metadata/tokens', { default_max: { metadata: { tokens: 1e12 } } }],
      ['/default_max/metadata/tokens', { default_max: { metadata: { tokens: 0.000_000_1 } } }],
      ['/default_max/metadata', { default_max: { metadata: Object.fromEntries(keys.map((key) => [key, 1])) } }],
    ])('points at %s', async (pointer, changes) => {
      expect(await update(changes)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ pointer }] },
      });
    });
  });

  describe('PATCH /v1/tools/{slug}: 400 for what cannot be changed', () => {
    it('names slug, price and archived, and changes nothing', async () => {
      const before = await shown();
      const changed = await update({ slug: 'other', price: { per_call_usd: '0' }, archived: true, name: 'After' });
      const unknown = (field: string) => ({
        pointer: `/${field}`,
        code: 'unknown_field',
        message: 'is not known here; known here: name, description, default_max, resource',
      });
      expect(changed).toMatchObject({ status: 400, body: { errors: ['slug', 'price', 'archived'].map(unknown) } });
      expect(await shown()).toEqual(before);
    });

    it('asks for the field that was meant', async () => {
      const { body } = await update({ Name: 'After' });
      expect(body['detail']).toBe('The body is not valid: /Name is not known here; did you mean `name`?');
    });
  });

  describe('PATCH /v1/tools/{slug}: 404', () => {
    it("does not change another account's tool, and never says 403", async () => {
      const refused = await update({ name: 'Mine now' }, await billing.newAccount());
      expect(refused).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
      expect(await shown()).toMatchObject({ name: 'Before' });
    });

    it("answers an unknown tool as it answers another account's", async () => {
      const stranger = await billing.newAccount();
      const foreign = await update({ name: 'x' }, stranger);
      const existing = slug;
      slug = 'unknown';
      const unknown = await update({ name: 'x' }, stranger);
      const without = { instance: undefined, request_id: undefined, detail: undefined };
      expect({ ...unknown.body, ...without }).toEqual({ ...foreign.body, ...without });
      expect([unknown.body['detail'], foreign.body['detail']]).toEqual([
        'You have no tool `unknown`.',
        `You have no tool \`${existing}\`.`,
      ]);
    });
  });
});

describe('archive tool', () => {
  beforeAll(async () => {
    builder = await billing.newAccount();
  });
  beforeEach(async () => {
    slug = await billing.newTool(builder);
  });

  describe('POST /v1/tools/{slug}/archive: 200', () => {
    it('archives for good: the tool says so, and so does the directory, which gateways read again', async () => {
      const before = await inDirectory();
      await billing.newTool(builder); // a later change of another tool
      expect(await archive()).toMatchObject({ status: 200, body: { slug, archived: true } });
      expect((await billing.send('GET', `/v1/tools/${slug}`, builder)).body).toMatchObject({ archived: true });
      const { archivedAtMs, changedSeq } = await inDirectory();
      expect(archivedAtMs).toBe(billing.clock.now());
      expect(changedSeq).toBeGreaterThan(before.changedSeq + 1n);
    });

    it('changes nothing when it comes again', async () => {
      await archive();
      const before = await inDirectory();
      billing.clock.advance(1_000);
      expect(await archive({ ...builder, body: {} })).toMatchObject({ status: 200, body: { slug, archived: true } });
      expect(await inDirectory()).toEqual(before);
    });
  });

  describe('POST /v1/tools/{slug}/archive: 404, 415', () => {
    it("does not archive another account's tool, and never says 403", async () => {
      const refused = await archive(await billing.newAccount());
      expect(refused).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
      expect((await inDirectory()).archivedAtMs).toBeNull();
    });

    it('keeps a refusal under its key: the tool that is registered later is not archived by a replay', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      slug = `later-${randomUUID()}`;
      expect(await archive({ ...builder, headers })).toMatchObject({ status: 404 });
      await billing.newTool(builder, { slug });
      const again = await archive({ ...builder, headers });
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
      expect((await inDirectory()).archivedAtMs).toBeNull();
    });

    it('refuses a body that is no JSON', async () => {
      const headers = { 'content-type': 'text/plain' };
      expect(await archive({ ...builder, headers, rawBody: 'please' })).toMatchObject({ status: 415 });
    });
  });
});

describe('get tool', () => {
  let createdAt: string;
  beforeAll(async () => {
    createdAt = toIso(billing.clock.now());
    builder = await billing.newAccount();
    await billing.newTool(builder, { slug: 'search' });
  });

  describe('GET /v1/tools/{slug}: 200', () => {
    it('shows any account the tool, and of its builder the public name alone', async () => {
      const { status, body } = await billing.send('GET', '/v1/tools/search', await billing.newAccount());
      expect(status).toBe(200);
      const searched = { slug: 'search', name: 'search', description: null, price: perCall('0.01') };
      const shown = { ...searched, default_max: null, resource: null, archived: false, created_at: createdAt };
      expect(body).toEqual({ ...shown, sold_by: null });
    });

    it('shows the price in force: the next one from its hour on', async () => {
      const body = { price: { per_call_usd: '0.02' }, effective_from: '2026-11-21T14:00:00Z' };
      await billing.send('POST', '/v1/tools/search/prices', { ...builder, body });
      for (const [now, price] of [
        ['2026-11-21T13:59:59.999Z', '0.01'],
        ['2026-11-21T14:00:00.000Z', '0.02'],
      ] as const) {
        billing.clock.set(Date.parse(now));
        const shown = await billing.send('GET', '/v1/tools/search', builder);
        expect(shown.body).toMatchObject({ price: perCall(price) });
      }
    });
  });

  describe('GET /v1/tools/{slug}: 404', () => {
    it.each(['unknown', 'Search', 'se%20arch', '%27%3B%20drop%20table%20billing.tool', 'search%2Fprices'])(
      'knows no %s',
      async (slug) => {
        const answer = await billing.send('GET', `/v1/tools/${slug}`, builder);
        expect(answer).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
      },
    );

    it('names the tool that it does not find, and repeats no other text', async () => {
      const detailOf = async (slug: string) => (await billing.send('GET', `/v1/tools/${slug}`, builder)).body['detail'];
      expect(await detailOf('nope')).toBe('There is no tool `nope`.');
      expect(await detailOf('%1b%5b31m')).toBe('The path has no valid slug of a tool.');
    });
  });
});
