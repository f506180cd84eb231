import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { operatorOf } from '../operator/operator-of.ts';

const operatorToken = randomUUID();
const patience = { withinMs: 5_000 };

interface Balance {
  readonly balance_usd: number;
  readonly held_usd: number;
  readonly unbilled_usd: number | null;
  readonly available_usd: number;
}

describe('an account that pays before', () => {
  const it = itWith(async (undo) => {
    const env = { OPERATOR_TOKEN: operatorToken, CONSUMER_CREDIT: 'prepaid' };
    const product = await openProduct({ name: 'paying-before', env }, undo);
    const { client } = product;
    const operator = operatorOf(product, operatorToken);
    const [builder, consumer] = [await operator.newAccount(), await operator.newAccount()];
    const body = { slug: 'search', name: 'Search', price: { per_call_usd: '0.250001' } };
    await client('POST', '/v1/tools', { token: builder.token, body });
    const granted = { token: operatorToken, body: { amount_usd: 1, reason: 'a test' } };
    await client('POST', `/v1/operator/accounts/${consumer.accountId}/credits`, granted);
    const { token } = consumer;
    await client('PUT', '/v1/billing/balance/alerts', { token, body: { below_usd: [0.8, 0.5] } });
    return {
      balance: async () => (await client<Balance>('GET', '/v1/billing/balance', { token })).body,
      ask: () =>
        client<{ id: string; remaining_usd: number; limit: object }>('POST', '/v1/authorizations', {
          token,
          body: { tool_id: 'search' },
        }),
      record: (authorization_id: string) =>
        client('POST', '/v1/events', { token, body: { tool_id: 'search', authorization_id } }),
      alerts: async (path: string, by = token) => (await client('GET', path, { token: by })).body,
      release: (id: string) => client('DELETE', `/v1/authorizations/${id}`, { token }),
    };
  });

  it('F238 is shown what the gate refuses by: what is held, what calls came to, and what is available', async (of) => {
    const { balance, ask, record, release } = of;
    expect(await balance()).toMatchObject({ balance_usd: 1, held_usd: 0, unbilled_usd: null, available_usd: 1 });
    const [first, second, third] = [await ask(), await ask(), await ask()];
    expect([first, second, third]).toMatchObject([{ status: 201 }, { status: 201 }, { status: 201 }]);
    const held = { balance_usd: 1, owed_usd: 0, unbilled_usd: 0, credit_limit_usd: 0, held_usd: 0.750003 };
    expect(await balance()).toMatchObject({ ...held, available_usd: third.body.remaining_usd });
    expect(third.body.remaining_usd).toBe(0.249997);
    const refused = await ask();
    expect(refused).toMatchObject({
      status: 402,
      body: { limit: { scope: 'balance', cap_usd: 1, held_usd: 0.750003 } },
    });

    expect(await record(first.body.id)).toMatchObject({ status: 201 });
    expect(await release(second.body.id)).toMatchObject({ status: 204 });
    const isSettled = async () => (await balance()).unbilled_usd === 0.250001;
    await eventually(isSettled, patience);
    expect(await balance()).toMatchObject({ balance_usd: 1, held_usd: 0.250001, available_usd: 0.499998 });
  });

  it('F237 gets one alert of the threshold that its calls have crossed, and so does the operator', async ({
    alerts,
  }) => {
    const alert = {
      type: 'balance.low',
      scope: 'balance',
      below_usd: 0.8,
      cap_usd: 1,
      spent_usd: 0.250001,
    };
    for (const list of [alerts('/v1/billing/alerts'), alerts('/v1/operator/alerts', operatorToken)])
      expect(await list).toMatchObject({ total: 1, alerts: [{ ...alert, percent: 25 }] });
  });
});
