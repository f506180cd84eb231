import { describe, expect, it } from '@jest/globals';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling({ settings: { PRICE_MAX_USD: '1000000' } });

const ask = (price: object, quantities: readonly object[]) =>
  billing.send('POST', '/v1/prices/preview', { body: { price, quantities } });

describe('POST /v1/prices/preview', () => {
  it('answers strangers, with the price in full and each digit of the amounts', async () => {
    const { status, body, text } = await ask({ per_call_usd: '999999.000001' }, [
      { calls: 10 },
      { calls: 999_999_999_999 },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      price: { currency: 'usd', charges: [{ model: { type: 'per_unit', unit_price_usd: '999999.000001' } }] },
      amounts: [{ calls: 10, charge_usd: 9_999_990.00001, lines: [{ quantity: '10', unit: 'calls' }] }, {}],
    });
    expect(text).toContain('"charge_usd":999999000000000000.999999');
  });

  it('refuses what a tool could not have, and says where', async () => {
    expect(await ask({ per_call_usd: '1000000.01' }, [{ calls: 1 }])).toMatchObject({
      status: 422,
      body: { code: 'price_too_high' },
    });
    const wrong = [{ per_call_usd: '1', cap: 1 }, { per_call_usd: 0.1 }];
    for (const price of wrong) expect(await ask(price, [{ calls: 1 }])).toMatchObject({ status: 400 });
    for (const quantities of [
      [],
      [{ calls: -1 }],
      [{ calls: 1.5 }],
      [{ calls: 1, measures: { t: '1e3' } }],
      Array.from({ length: 21 }, () => ({ calls: 1 })),
    ])
      expect(await ask({ per_call_usd: '1' }, quantities)).toMatchObject({ status: 400 });
  });
});
