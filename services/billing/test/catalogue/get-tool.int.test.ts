import { beforeAll, describe, expect, it } from '@jest/globals';
import { startOfTests, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

beforeAll(async () => {
  builder = await billing.newAccount();
  await billing.newTool(builder, { slug: 'search' });
});

const perCall = (unitPriceUsd: string) => {
  const model = { type: 'per_unit', unit_price_usd: unitPriceUsd };
  const charge = { name: null, metric: { type: 'calls' }, model, free_quantity: '0' };
  return { currency: 'usd', charges: [charge], bill_failed_calls: false };
};

describe('GET /v1/tools/{slug}: 200', () => {
  it('shows any account the tool, and not whose it is', async () => {
    const { status, body } = await billing.send('GET', '/v1/tools/search', await billing.newAccount());
    expect(status).toBe(200);
    const searched = { slug: 'search', name: 'search', description: null, price: perCall('0.01') };
    expect(body).toEqual({ ...searched, default_max: null, archived: false, created_at: startOfTests });
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
