import { beforeAll, describe, expect, it } from '@jest/globals';
import { pressButton } from '../support/press-button.ts';
import { askSetup, setUpCard } from '../support/set-up-card.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let consumer: TestAccount;

beforeAll(async () => {
  consumer = await billing.newAccount();
});

const newUrl = async () => (await askSetup(billing, consumer)).setup_url;
const press = (url: string, fields: { answer: string; card?: string }) =>
  pressButton({ send: billing.send, url, ...fields });

describe('GET /v1/sandbox/card-setup: 200', () => {
  it('offers cards and buttons', async () => {
    const { status, text } = await billing.send('GET', await newUrl());
    expect(status).toBe(200);
    for (const part of [
      '4242',
      '4444',
      '0341',
      'value="complete"',
      'value="refuse"',
      'value="later"',
      'consumer.example',
    ])
      expect(text).toContain(part);
  });
});

describe('POST /v1/sandbox/card-setup: 303', () => {
  it('goes back with a card, without one, or later; refused, what was on file stays', async () => {
    for (const answer of ['refuse', 'later']) {
      expect((await press(await newUrl(), { answer })).headers.get('location')).toBe('https://consumer.example/back');
      expect((await billing.send('GET', '/v1/billing/payment-method', consumer)).status).toBe(404);
    }
    await setUpCard(billing, consumer, 'mastercard');
    expect((await press(await newUrl(), { answer: 'refuse' })).status).toBe(303);
    expect((await billing.send('GET', '/v1/billing/payment-method', consumer)).body).toMatchObject({ last4: '4444' });
  });
});

describe('POST /v1/sandbox/card-setup: 303, with a card that will be declined', () => {
  it('puts it on file as any other', async () => {
    await setUpCard(billing, consumer, 'declined');
    const { body } = await billing.send('GET', '/v1/billing/payment-method', consumer);
    expect(body).toMatchObject({ brand: 'visa', last4: '0341' });
  });
});

describe('POST /v1/sandbox/card-setup: 404, 400', () => {
  it('works once', async () => {
    const url = await newUrl();
    await press(url, { answer: 'later' });
    expect((await press(url, { answer: 'complete' })).status).toBe(404);
  });

  it('has no other cards', async () => {
    expect((await press(await newUrl(), { answer: 'complete', card: 'gold' })).status).toBe(400);
  });
});
