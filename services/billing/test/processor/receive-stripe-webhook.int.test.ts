import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startStripeDouble, type StripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';
import { signStripeWebhook } from '@tollgate/testkit/stripe-double/stripe-webhooks';
import { askLink, readAccount } from '../support/connect-builder.ts';
import { stripeSecretKey } from '../support/open-stripe.ts';
import { startBilling, startOfTests, type BillingUnderTest, type TestAccount } from '../support/start-billing.ts';

const secret = 'whsec_of_these_tests';
let billing: BillingUnderTest;
let double: StripeDouble;
let builder: TestAccount;

beforeAll(async () => {
  double = await startStripeDouble({
    secretKey: stripeSecretKey,
    nowMs: () => billing?.clock.now() ?? Date.parse(startOfTests),
  });
  const settings = {
    PROCESSOR: 'stripe',
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: double.baseUrl,
  };
  billing = await startBilling({ settings });
  double.webhooks.sendTo({ url: `${billing.baseUrl}/v1/webhooks/stripe`, secret });
  builder = await billing.newAccount();
});

afterAll(async () => {
  await billing.stop();
  await double.close();
});

/** Through a new link and its page; the webhook is on its way. */
async function onboard(answer: 'complete' | 'refuse'): Promise<void> {
  double.people.answerOnboarding((await askLink(billing, builder)).connect_url, answer);
  await double.webhooks.settle();
}

const stored = () => billing.owner.query<{ applied_at: Date | null }>('select applied_at from billing.webhook_event');
const allApplied = () =>
  eventually(async () => (await stored()).every(({ applied_at }) => applied_at !== null), { withinMs: 5_000 });
const isPayoutEnabled = async () => (await readAccount(billing, builder)).payout_enabled;

function post(rawBody: string, signedBody = rawBody) {
  const signature = signStripeWebhook(signedBody, { secret, seconds: Math.floor(billing.clock.now() / 1_000) });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return billing.send('POST', '/v1/webhooks/stripe', { headers, rawBody });
}

describe('POST /v1/webhooks/stripe: 204', () => {
  it('follows an account that is enabled, disabled and enabled again', async () => {
    for (const answer of ['complete', 'refuse', 'complete'] as const) {
      await onboard(answer);
      await allApplied();
      expect(await isPayoutEnabled()).toBe(answer === 'complete');
    }
  });

  it('follows a payment method that is entered, then detached at Stripe', async () => {
    const path = '/v1/billing/payment-method';
    const body = { return_url: 'https://consumer.example/back' };
    const { body: link } = await billing.send<{ setup_url: string }>('POST', path, { ...builder, body });
    double.people.answerSetup(link.setup_url, 'complete');
    await double.webhooks.settle();
    await allApplied();
    expect(await billing.send('GET', path, builder)).toMatchObject({ status: 200, body: { last4: '4242' } });
    const [method] = double.state.paymentMethods.values();
    if (!method) throw new Error('a card was entered');
    double.state.paymentMethods.set(method.id, { ...method, customer: null });
    double.webhooks.happened('payment_method.detached', {
      object: { ...method, customer: null },
      previous_attributes: { customer: method.customer },
    });
    await double.webhooks.settle();
    await allApplied();
    expect(await billing.send('GET', path, builder)).toMatchObject({ status: 404 });
  });
});

describe('POST /v1/webhooks/stripe: 400, 413', () => {
  it('F64 refuses one whose body is not byte for byte what was signed, and keeps nothing of it', async () => {
    const before = await stored();
    const event = {
      id: 'evt_1',
      object: 'event',
      created: 1_700_000_000,
      type: 'weather.changed',
      data: { object: {} },
    };
    const signed = JSON.stringify(event);
    const refused = { status: 400, body: { code: 'invalid_request' } };
    expect(await post(JSON.stringify(event, undefined, 1), signed)).toMatchObject(refused);
    expect(await stored()).toEqual(before);
    expect(await post(signed)).toMatchObject({ status: 204 });
  });

  it('reads no more than 256 KiB', async () => {
    expect(await post('a'.repeat(262_145))).toMatchObject({ status: 413 });
  });
});

describe('with Stripe', () => {
  it.each([
    ['POST', '/v1/webhooks/sandbox'],
    ['GET', '/v1/sandbox/onboarding?token=x'],
    ['GET', '/v1/sandbox/clock'],
  ])('there is no %s %s', async (method, path) => {
    const answer = await fetch(`${billing.baseUrl}${path}`, { method }); // /openapi.json describes every processor's
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });

  it('a failure of the processor is 503, and the caller may ask again', async () => {
    const account = await billing.newAccount();
    double.faults.script({ at: 'POST /v1/accounts', what: 409, effect: 'not_done', times: 3 });
    const ask = () =>
      billing.send('POST', '/v1/billing/connect', { ...account, body: { return_url: 'https://builder.example' } });
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'processor_unavailable' } });
    expect(await ask()).toMatchObject({ status: 200 });
  });
});
