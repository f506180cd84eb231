import { describe, expect, it } from '@jest/globals';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const path = '/v1/billing/balance/alerts';

describe(`PUT ${path}`, () => {
  it('200: replaces the thresholds of its account alone, which the balance shows', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    const put = (below_usd: unknown) => billing.send('PUT', path, { ...consumer, body: { below_usd } });
    const shown = async ({ token }: { readonly token: string }) =>
      (await billing.send('GET', '/v1/billing/balance', { token })).body['alerts_below_usd'];
    expect(await put([5, 20.5, 5])).toMatchObject({ status: 200, body: { below_usd: [20.5, 5] } });
    expect(await put([5, 0.01])).toMatchObject({ status: 200, body: { below_usd: [5, 0.01] } });
    expect([await shown(consumer), await shown(other)]).toEqual([[5, 0.01], []]);
    expect(await put([])).toMatchObject({ status: 200, body: { below_usd: [] } });
    expect(await shown(consumer)).toEqual([]);
  });

  it.each([[[0]], [[0.001]], [['5']], [5], [Array.from({ length: 11 }, (_, at) => at + 1)]])(
    '400: refuses %j',
    async (below_usd) => {
      const asked = { ...(await billing.newAccount()), body: { below_usd } };
      expect(await billing.send('PUT', path, asked)).toMatchObject({ status: 400 });
    },
  );
});
