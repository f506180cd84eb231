import { describe, expect, it } from '@jest/globals';
import { operatorToken, useBilling } from '../support/start-billing.ts';

const billing = useBilling();

const credits = (accountId: string) => `/v1/operator/accounts/${accountId}/credits`;

describe('the credit limit of an account', () => {
  it('is set by the operator, and taken away by null', async () => {
    const { accountId } = await billing.newAccount();
    const path = `/v1/operator/accounts/${accountId}/credit-limit`;
    const set = (limit: unknown) =>
      billing.send('PUT', path, { token: operatorToken, body: { credit_limit_usd: limit } });
    const shown = async () => (await billing.send('GET', path, { token: operatorToken })).body['credit_limit_usd'];
    expect(await shown()).toBeNull();
    for (const limit of [100.5, 0, null]) {
      expect(await set(limit)).toMatchObject({ status: 200, body: { account_id: accountId, credit_limit_usd: limit } });
      expect(await shown()).toBe(limit);
    }
    for (const wrong of [-1, 0.001, '5', undefined]) expect(await set(wrong)).toMatchObject({ status: 400 });
    const nobody = path.replace(accountId, 'a0000000-0000-4000-8000-000000000000');
    expect(await billing.send('GET', nobody, { token: operatorToken })).toMatchObject({ status: 404 });
  });
});

describe('the credits of an account', () => {
  it('are granted by the operator, once per key, and shown to the account without the reason', async () => {
    const { accountId, token } = await billing.newAccount();
    const body = { amount_usd: 25, reason: 'welcome', expires_at: '2027-01-01T00:00:00Z' };
    const order = { token: operatorToken, body, headers: { 'idempotency-key': 'welcome' } };
    const granted = await billing.send('POST', credits(accountId), order);
    expect(granted).toMatchObject({ status: 201, body: { account_id: accountId, left_usd: 25, reason: 'welcome' } });
    const again = await billing.send('POST', credits(accountId), order);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await billing.send('GET', credits(accountId), { token: operatorToken })).toMatchObject({
      body: { total: 1, credits: [{ amount_usd: 25 }] },
    });
    const { body: balance } = await billing.send('GET', '/v1/billing/balance', { token });
    expect(balance).toMatchObject({ balance_usd: 25, credits: [{ left_usd: 25 }] });
    expect(JSON.stringify(balance)).not.toContain('welcome');
  });

  it('of nobody are 404, and of an account without any none', async () => {
    const nobody = 'a0000000-0000-4000-8000-000000000000';
    const body = { amount_usd: 1, reason: 'x' };
    expect(await billing.send('POST', credits(nobody), { token: operatorToken, body })).toMatchObject({ status: 404 });
    expect(await billing.send('GET', credits(nobody), { token: operatorToken })).toMatchObject({ status: 404 });
    const { token } = await billing.newAccount();
    expect(await billing.send('GET', '/v1/billing/balance', { token })).toMatchObject({
      status: 200,
      body: { balance_usd: 0, credits: [] },
    });
  });

  it.each([[{ amount_usd: 0, reason: 'x' }], [{ amount_usd: 1 }], [{ amount_usd: 0.001, reason: 'x' }]])(
    'are refused for %j',
    async (body) => {
      const { accountId } = await billing.newAccount();
      expect(await billing.send('POST', credits(accountId), { token: operatorToken, body })).toMatchObject({
        status: 400,
      });
    },
  );
});
