import { describe, expect, it } from '@jest/globals';
import { setUpCard } from '../support/set-up-card.ts';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

const path = '/v1/billing/payment-method';

describe('GET /v1/billing/payment-method: 200', () => {
  it('shows the card that was set up, then the one that took its place', async () => {
    const consumer = await billing.newAccount();
    await setUpCard(billing, consumer, 'visa');
    const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2029 };
    expect(await billing.send('GET', path, consumer)).toMatchObject({ status: 200, body: visa });
    await setUpCard(billing, consumer, 'mastercard');
    expect(await billing.send('GET', path, consumer)).toMatchObject({
      body: { ...visa, brand: 'mastercard', last4: '4444' },
    });
  });
});

describe('GET /v1/billing/payment-method: 404, 401', () => {
  it('has none for who has set up none, whatever others have', async () => {
    await setUpCard(billing, await billing.newAccount(), 'visa');
    const answer = await billing.send('GET', path, await billing.newAccount());
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await billing.send('GET', path)).toMatchObject({ status: 401 });
  });
});
