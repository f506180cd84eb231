import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;
let slug: string;

beforeAll(async () => {
  builder = await billing.newAccount();
});
beforeEach(async () => {
  slug = await billing.newTool(builder);
  await update({ name: 'Before', description: 'As it was' });
});

const update = (body: unknown, { token } = builder) => billing.send('PATCH', `/v1/tools/${slug}`, { token, body });
const shown = async () => (await billing.send('GET', `/v1/tools/${slug}`, builder)).body;

describe('PATCH /v1/tools/{slug}', () => {
  it.each([
    ['the name', { name: 'After' }, { name: 'After', description: 'As it was' }],
    ['the description', { description: 'New' }, { name: 'Before', description: 'New' }],
    ['both', { name: 'After', description: '' }, { name: 'After', description: '' }],
    ['nothing', {}, { name: 'Before', description: 'As it was' }],
    ['nothing by null', { name: null, description: null }, { name: 'Before', description: 'As it was' }],
  ])('200: changes %s, and leaves the rest', async (_what, changes, expected) => {
    const changed = await update(changes);
    expect(changed).toMatchObject({ status: 200, body: expected });
    expect(await shown()).toEqual(changed.body);
  });

  it('200: names and ignores what cannot be changed: slug, price, archived', async () => {
    const before = await shown();
    const changed = await update({ slug: 'other', price: { per_call_usd: '0' }, archived: true });
    expect(changed).toMatchObject({ status: 200, body: before });
    expect(changed.headers.get('x-ignored-fields')).toBe('slug,price,archived');
  });

  it('400: points at what is wrong', async () => {
    const errors = [{ pointer: '/name' }];
    expect(await update({ name: '' })).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
  });

  it("404: does not change another account's tool, and never says 403", async () => {
    const refused = await update({ name: 'Mine now' }, await billing.newAccount());
    expect(refused).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    expect(await shown()).toMatchObject({ name: 'Before' });
  });
});
