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
  it.each([
    ['the name', { name: 'After' }, { name: 'After', description: 'As it was' }],
    ['the description', { description: 'New' }, { name: 'Before', description: 'New' }],
    ['both', { name: 'After', description: '' }, { name: 'After', description: '' }],
    ['nothing', {}, { name: 'Before', description: 'As it was' }],
    ['nothing by null', { description: null }, { name: 'Before', description: 'As it was' }],
  ])('changes %s, and leaves the rest', async (_what, changes, expected) => {
    const changed = await update(changes);
    expect(changed).toMatchObject({ status: 200, body: expected });
    expect(await shown()).toEqual(changed.body);
  });
});

describe('PATCH /v1/tools/{slug}: 400', () => {
  it.each([
    ['/name', { name: '' }],
    ['/name', { name: null }],
    ['/name', { name: 5 }],
    ['/name', { name: 'x'.repeat(201) }],
    ['/description', { description: 'x'.repeat(2_001) }],
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
      message: 'is not known here; known here: name, description',
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
