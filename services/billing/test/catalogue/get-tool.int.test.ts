import { beforeAll, describe, expect, it } from '@jest/globals';
import { startOfTests, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

beforeAll(async () => {
  builder = await billing.newAccount();
  const body = { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } };
  await billing.send('POST', '/v1/tools', { ...builder, body });
});

const unitPrice = (body: Record<string, unknown>) =>
  (body as { price: { charges: { model: { unit_price_usd: string } }[] } }).price.charges[0]?.model.unit_price_usd;

describe('GET /v1/tools/{slug}: 200', () => {
  it('shows any account the tool, and not whose it is', async () => {
    const stranger = await billing.newAccount();
    const { status, body } = await billing.send('GET', '/v1/tools/search', stranger);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['archived', 'created_at', 'description', 'name', 'price', 'slug']);
    expect(body).toMatchObject({
      slug: 'search',
      name: 'Search',
      description: null,
      archived: false,
      created_at: startOfTests,
    });
  });

  it('answers HEAD like GET, without the body', async () => {
    const { status, text } = await billing.send('HEAD', '/v1/tools/search', builder);
    expect([status, text]).toEqual([200, '']);
  });

  it('shows the price in force: the next one from its hour on', async () => {
    const body = { price: { per_call_usd: '0.02' }, effective_from: '2026-11-21T14:00:00Z' };
    await billing.send('POST', '/v1/tools/search/prices', { ...builder, body });
    const show = async () => unitPrice((await billing.send('GET', '/v1/tools/search', builder)).body);
    billing.clock.set(Date.parse('2026-11-21T13:59:59.999Z'));
    expect(await show()).toBe('0.01');
    billing.clock.set(Date.parse('2026-11-21T14:00:00.000Z'));
    expect(await show()).toBe('0.02');
  });
});

describe('GET /v1/tools/{slug}: 401', () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', '/v1/tools/search')).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
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

describe('GET /v1/tools/{slug}: 405', () => {
  it.each(['DELETE', 'PUT', 'POST'])('says what is allowed instead of %s', async (method) => {
    const answer = await billing.send(method, '/v1/tools/search', builder);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PATCH');
  });
});
