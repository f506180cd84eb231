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

const stored = () =>
  billing.owner.query<{ event_id: string; applied_at: Date | null }>(
    'select event_id, applied_at from billing.webhook_event order by event_id',
  );
const allApplied = () =>
  eventually(async () => (await stored()).every(({ applied_at }) => applied_at !== null), { withinMs: 5_000 });
const isPayoutEnabled = async () => (await readAccount(billing, builder)).payout_enabled;

interface Sent {
  readonly event?: object;
  readonly ageSeconds?: number;
  readonly signedWith?: string;
  readonly tamper?: (rawBody: string) => string;
}

let sent = 0;

function post({ event, ageSeconds = 0, signedWith = secret, tamper }: Sent) {
  const seconds = Math.floor(billing.clock.now() / 1_000) - ageSeconds;
  const usual = { id: `evt_${(sent += 1)}`, object: 'event', type: 'weather.changed', data: { object: {} } };
  const rawBody = JSON.stringify(event ?? usual);
  const signature = signStripeWebhook(rawBody, { secret: signedWith, seconds });
  return send(tamper?.(rawBody) ?? rawBody, signature);
}

function send(rawBody: string, signature?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { 'stripe-signature': signature }),
  };
  return billing.send('POST', '/v1/webhooks/stripe', { headers, rawBody });
}

describe('POST /v1/webhooks/stripe: 204', () => {
  it('tells of an onboarding, of its end and of its return', async () => {
    for (const answer of ['complete', 'refuse', 'complete'] as const) {
      await onboard(answer);
      await allApplied();
      expect(await isPayoutEnabled()).toBe(answer === 'complete');
    }
  });

  it('tells of a payment method entered, and of one detached at Stripe', async () => {
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

  it('F62 takes the same one ten times at once and has one of it', async () => {
    await onboard('complete');
    const event = double.webhooks.events.at(-1);
    if (!event) throw new Error('something has happened');
    const before = await stored();
    const answers = await Promise.all(Array.from({ length: 10 }, () => double.webhooks.send(event)));
    expect(answers).toEqual(Array(10).fill(204));
    expect((await stored()).map(({ event_id }) => event_id)).toEqual(before.map(({ event_id }) => event_id));
    await allApplied();
    expect(await isPayoutEnabled()).toBe(true);
  });

  it('F63 ends where Stripe is, in whatever order and however late they come', async () => {
    await onboard('complete');
    await onboard('refuse');
    const ofAccount = double.webhooks.events.filter(({ type }) => type === 'account.updated');
    for (const [place, event] of ofAccount.toReversed().entries())
      expect((await post({ event: { ...event, id: `evt_again_${place}` }, ageSeconds: place % 2 })).status).toBe(204);
    await allApplied();
    expect(await isPayoutEnabled()).toBe(false);
    await onboard('complete');
    await allApplied();
    expect(await isPayoutEnabled()).toBe(true);
  });

  it('stores what it does not follow, and what is of nobody here; 300 s old, too', async () => {
    const ofNobody = { type: 'account.updated', data: { object: { id: 'acct_of_nobody', object: 'account' } } };
    const capability = { type: 'capability.updated', data: { object: { account: 'acct_of_nobody' } } };
    for (const event of [ofNobody, capability])
      expect((await post({ event: { id: `evt_${(sent += 1)}`, object: 'event', ...event } })).status).toBe(204);
    expect((await post({ ageSeconds: 300 })).status).toBe(204);
    await allApplied();
  });
});

describe('POST /v1/webhooks/stripe: 400', () => {
  it.each<[string, Sent]>([
    ['with another secret', { signedWith: 'whsec_of_somebody' }],
    ['301 s old', { ageSeconds: 301 }],
    ['serialised again', { tamper: (rawBody) => JSON.stringify(JSON.parse(rawBody), null, 1) }],
    ['with another body', { tamper: (rawBody) => rawBody.replace('weather', 'whether') }],
    ['with an empty body', { tamper: () => '' }],
    ['signed, but no event', { event: { hello: 'world' } }],
    ['signed, but without an object', { event: { id: 'evt_x', type: 'account.updated', data: null } }],
    ['signed, but of nothing', { event: { id: 'evt_x', type: 'account.updated', data: { object: null } } }],
    ['signed, but a thin event', { event: { id: 'evt_x', object: 'v2.core.event', type: 'x' } }],
  ])('F64 refuses one %s, and keeps nothing of it', async (_name, sending) => {
    const before = await stored();
    expect(await post(sending)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await stored()).toEqual(before);
  });

  it.each([undefined, 'v1=00', `t=1,v1=${'0'.repeat(64)}`, 't=,v1='])(
    'F64 refuses the signature %s',
    async (signature) => {
      expect(await send('{}', signature)).toMatchObject({ status: 400 });
    },
  );
});

describe('POST /v1/webhooks/stripe: 413', () => {
  it('reads no more than 256 KiB', async () => {
    expect(await send('a'.repeat(262_145), 't=1,v1=0')).toMatchObject({ status: 413 });
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

  it('a processor that fails is 503 to who asks, and its owner may ask again', async () => {
    const account = await billing.newAccount();
    double.faults.script({ at: 'POST /v1/accounts', what: 409, effect: 'not_done', times: 3 });
    const ask = () =>
      billing.send('POST', '/v1/billing/connect', { ...account, body: { return_url: 'https://builder.example' } });
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(await ask()).toMatchObject({ status: 200 });
  });
});
