import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;
let slug: string;

beforeAll(async () => {
  builder = await billing.newAccount();
});

beforeEach(async () => {
  slug = `tool-${randomUUID()}`;
  const body = { slug, name: 'Before', description: 'As it was', price: { per_call_usd: '0.01' } };
  await billing.send('POST', '/v1/tools', { ...builder, body });
});

const update = (body: unknown, { token } = builder) => billing.send('PATCH', `/v1/tools/${slug}`, { token, body });
const shown = async () => (await billing.send('GET', `/v1/tools/${slug}`, builder)).body;

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
      message: 'is not known here; known here: name, description, default_max',
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
