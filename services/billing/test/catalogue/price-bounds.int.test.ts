import { describe, expect, it } from '@jest/globals';
import { putRollup } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const market = useBilling({ settings: { PRICE_MAX_USD: '2.5', PRICE_RISE_NOTICE_DAYS: '30' } });

const hour = '2026-11-21T14:00:00Z'; // the clock stands at 12:34:56.789
const afterNotice = '2026-12-21T13:00:00Z';

function addPrice(slug: string, { token }: TestAccount, price: object, effectiveFrom = hour) {
  return market.send('POST', `/v1/tools/${slug}/prices`, { token, body: { price, effective_from: effectiveFrom } });
}

async function openTool({ isUsed = true, price = { per_call_usd: '1' } as object } = {}) {
  const builder = await market.newAccount();
  const slug = await market.newTool(builder, { price });
  const { accountId: consumerId } = isUsed ? await market.newAccount() : builder;
  await putRollup(market.owner, { consumerId, tool: slug, hour: '2026-11-21T10:00:00Z' });
  return { builder, slug };
}

describe('the bounds of prices in a public market', () => {
  it('F146 refuse any amount above the bound, in a first price and in a later one, with the number', async () => {
    const { builder, slug } = await openTool({ isUsed: false });
    const refused = {
      status: 422,
      body: {
        code: 'price_too_high',
        detail: 'No amount of a price may be above 2.5 USD.',
        errors: [{ pointer: '/price' }],
      },
    };
    const tiers = [{ up_to: null, unit_price_usd: '0', flat_price_usd: '2.500000000001' }];
    const charges = [
      { metric: { type: 'calls' }, model: { type: 'per_unit', unit_price_usd: '2.5' } },
      { metric: { type: 'calls' }, model: { type: 'volume', tiers } },
    ];
    expect(await addPrice(slug, builder, { per_call_usd: '2.51' })).toMatchObject(refused);
    expect(await addPrice(slug, builder, { currency: 'usd', charges })).toMatchObject(refused);
    const body = { slug: 'dear', name: 'Dear', price: { per_call_usd: '3' } };
    expect(await market.send('POST', '/v1/tools', { token: builder.token, body })).toMatchObject(refused);
    expect((await addPrice(slug, builder, { per_call_usd: '2.5' })).status).toBe(201);
  });

  it('F146 let a rise begin only after its notice, if somebody else has used the tool', async () => {
    const { builder, slug } = await openTool();
    expect(await addPrice(slug, builder, { per_call_usd: '1.01' }, '2026-12-21T12:00:00Z')).toMatchObject({
      status: 422,
      body: {
        code: 'price_rise_too_soon',
        detail: expect.stringContaining('2026-12-21T13:00:00.000Z'),
        errors: [{ pointer: '/effective_from', code: 'too_soon' }],
      },
    });
    expect((await addPrice(slug, builder, { per_call_usd: '1.01' }, afterNotice)).status).toBe(201);
    expect((await addPrice(slug, builder, { per_call_usd: '1' })).status).toBe(201);
    expect((await addPrice(slug, builder, { per_call_usd: '0.5' }, '2026-11-21T15:00:00Z')).status).toBe(201);
  });

  it('F146 compare a rise with the price at its hour: a price that was lowered first needs notice again', async () => {
    const { builder, slug } = await openTool();
    expect((await addPrice(slug, builder, { per_call_usd: '0.5' })).status).toBe(201);
    const back = await addPrice(slug, builder, { per_call_usd: '1' }, '2026-11-21T15:00:00Z');
    expect(back).toMatchObject({ status: 422, body: { code: 'price_rise_too_soon' } });
    expect((await addPrice(slug, builder, { per_call_usd: '2' }, afterNotice)).status).toBe(201);
    expect((await addPrice(slug, builder, { per_call_usd: '1.5' }, '2026-12-21T14:00:00Z')).status).toBe(201);
  });

  it('F146 ask for no notice while only its builder has called the tool', async () => {
    const { builder, slug } = await openTool({ isUsed: false });
    expect((await addPrice(slug, builder, { per_call_usd: '2' })).status).toBe(201);
  });
});

describe('a catalogue without these settings', () => {
  const own = useBilling();

  it('F268 takes a price up to 10,000 USD an hour ahead', async () => {
    const builder = await own.newAccount();
    const slug = await own.newTool(builder);
    const { accountId: consumerId } = await own.newAccount();
    await putRollup(own.owner, { consumerId, tool: slug, hour: '2026-11-21T10:00:00Z' });
    const statusOf = async (usd: string) => {
      const body = { price: { per_call_usd: usd }, effective_from: hour };
      return (await own.send('POST', `/v1/tools/${slug}/prices`, { token: builder.token, body })).status;
    };
    expect([await statusOf('10000.01'), await statusOf('10000')]).toEqual([422, 201]);
  });
});
