import { describe, expect, it } from '@jest/globals';
import { setUpCard } from '../support/set-up-card.ts';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

const path = '/v1/billing/payment-method';

describe('DELETE /v1/billing/payment-method: 204', () => {
  it('removes it here and at the processor, and again', async () => {
    const consumer = await billing.newAccount();
    await setUpCard(billing, consumer, 'visa');
    expect(await billing.send('DELETE', path, consumer)).toMatchObject({ status: 204, text: '' });
    expect(await billing.send('GET', path, consumer)).toMatchObject({ status: 404 });
    const left = await billing.owner.query('select payment_method_id from sandbox.customer where reference = $1', [
      consumer.accountId,
    ]);
    expect(left).toEqual([{ payment_method_id: null }]);
    expect(await billing.send('DELETE', path, consumer)).toMatchObject({ status: 204 });
    await setUpCard(billing, consumer, 'mastercard');
  });

  it('is fine where there was none, and touches nobody else', async () => {
    const other = await billing.newAccount();
    await setUpCard(billing, other, 'visa');
    expect(await billing.send('DELETE', path, await billing.newAccount())).toMatchObject({ status: 204 });
    expect(await billing.send('GET', path, other)).toMatchObject({ status: 200 });
  });
});

describe('DELETE /v1/billing/payment-method: 401', () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('DELETE', path)).toMatchObject({ status: 401 });
  });
});
