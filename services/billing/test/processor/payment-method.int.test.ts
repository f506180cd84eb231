import { describe, expect, it } from '@jest/globals';
import { pressButton } from '../support/press-button.ts';
import { askSetup, setUpCard } from '../support/set-up-card.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const path = '/v1/billing/payment-method';
const billing = useBilling();

const find = (account: TestAccount) => billing.send('GET', path, account);
const remove = (account: TestAccount) => billing.send('DELETE', path, account);

async function press(account: TestAccount, fields: { answer: string; card?: string }) {
  return pressButton({ send: billing.send, url: (await askSetup(billing, account)).setup_url, ...fields });
}

describe(`GET, POST and DELETE ${path}`, () => {
  it('show the card that was set up last until it is removed', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    const none = { status: 404, body: { code: 'not_found' } };
    const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2029 };

    // None yet
    expect(await find(consumer)).toMatchObject(none);
    expect(await remove(consumer)).toMatchObject({ status: 204 });

    // The newest takes the place of the one before; a card that will be declined is as good as any
    await setUpCard(billing, consumer, 'declined');
    expect(await find(consumer)).toMatchObject({ status: 200, body: { ...visa, last4: '0341' } });
    await setUpCard(billing, consumer, 'visa');
    expect(await find(consumer)).toMatchObject({ status: 200, body: visa });

    // A set-up that ends without a card changes nothing
    for (const answer of ['refuse', 'later']) {
      const back = await press(consumer, { answer });
      expect([back.status, back.headers.get('location')]).toEqual([303, 'https://consumer.example/back']);
    }
    expect(await find(consumer)).toMatchObject({ body: visa });

    // Another account neither sees it nor removes it
    expect(await find(other)).toMatchObject(none);
    expect(await remove(other)).toMatchObject({ status: 204 });
    expect(await find(consumer)).toMatchObject({ body: visa });

    // Removed here and at the processor, as often as it is asked for; then another can be set up
    for (const _time of [1, 2]) expect(await remove(consumer)).toMatchObject({ status: 204, text: '' });
    expect(await find(consumer)).toMatchObject(none);
    const atProcessor = 'select payment_method_id from sandbox.customer where reference = $1';
    expect(await billing.owner.query(atProcessor, [consumer.accountId])).toEqual([{ payment_method_id: null }]);
    await setUpCard(billing, consumer, 'mastercard');
  });

  it('answer a link to a page here, for an hour', async () => {
    const asked = await askSetup(billing, await billing.newAccount());
    expect(asked.setup_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/sandbox\/card-setup\?token=[\w-]{43}$/);
    expect(Date.parse(asked.expires_at)).toBe(billing.clock.now() + 3_600_000);
    const { status, text } = await billing.send('GET', asked.setup_url);
    expect(status).toBe(200);
    for (const part of ['4242', '4444', '0341', 'value="complete"', 'value="refuse"', 'value="later"'])
      expect(text).toContain(part);
    expect(text).toContain('consumer.example');
  });

  it('F56 make one customer of a consumer, however often and at once it asks', async () => {
    const consumer = await billing.newAccount();
    await Promise.all([1, 2, 3, 4, 5].map(() => askSetup(billing, consumer)));
    await billing.owner.query('delete from billing.processor_customer where account_id = $1', [consumer.accountId]);
    await askSetup(billing, consumer);
    const made = await billing.owner.query('select 1 from sandbox.customer where reference = $1', [consumer.accountId]);
    expect(made).toHaveLength(1);
  });

  it('400: have no other cards', async () => {
    expect(await press(await billing.newAccount(), { answer: 'complete', card: 'gold' })).toMatchObject({
      status: 400,
    });
  });
});
