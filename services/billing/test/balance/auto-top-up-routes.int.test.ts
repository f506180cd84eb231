import { describe, expect, it } from '@jest/globals';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const path = '/v1/billing/auto-top-up';
const setting = { below_usd: 10, amount_usd: 50, monthly_max_usd: 200 };

describe(`GET, PUT and DELETE ${path}`, () => {
  it('keep what tops the balance up, for its account alone', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    expect(await billing.send('GET', path, consumer)).toMatchObject({ status: 404 });
    expect(await billing.send('PUT', path, { ...consumer, body: setting })).toMatchObject({
      status: 200,
      body: setting,
    });
    const changed = { ...setting, amount_usd: 20.5 };
    await billing.send('PUT', path, { ...consumer, body: changed });
    const state = { ...changed, month_usd: 0 }; // a tick may have found no payment method meanwhile
    expect(await billing.send('GET', path, consumer)).toMatchObject({ status: 200, body: state });
    expect(await billing.send('GET', path, other)).toMatchObject({ status: 404 });
    expect(await billing.send('GET', '/v1/billing/balance', consumer)).toMatchObject({
      body: { balance_usd: 0, held_usd: 0, available_usd: 0, auto_top_up: state },
    });
    for (const _time of [1, 2]) expect(await billing.send('DELETE', path, consumer)).toMatchObject({ status: 204 });
    expect(await billing.send('GET', '/v1/billing/balance', consumer)).toMatchObject({ body: { auto_top_up: null } });
  });

  it.each([{ amount_usd: 0.5 }, { monthly_max_usd: 49.99 }, { below_usd: 0 }])('400: refuse %j', async (wrong) => {
    const body = { ...setting, ...wrong };
    expect(await billing.send('PUT', path, { ...(await billing.newAccount()), body })).toMatchObject({ status: 400 });
  });
});
