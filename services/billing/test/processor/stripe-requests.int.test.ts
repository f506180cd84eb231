import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RecordedCall } from '@tollgate/testkit/stripe-double/start-stripe-double';
import type { Processor, TimeWindow } from '../../src/processor/processor.ts';
import { openStripe, stripeSecretKey, type OpenStripe } from '../support/open-stripe.ts';
import { createStripeClient } from '../../src/processor/stripe/stripe-client.ts';
import { createStripeProcessor } from '../../src/processor/stripe/stripe-processor.ts';

let opened: OpenStripe;

beforeAll(async () => {
  opened = await openStripe();
});

afterAll(() => opened.double.close());

interface Fixture {
  readonly method: string;
  readonly path: string;
  /** The fields of the query or the form, as they are written there. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Each request that the adapter can make. One that is new here must be checked against Stripe's description: README. */
it('asks Stripe for what the fixtures say, and for nothing else', async () => {
  await makeEveryRequest();
  const seen = new Map(opened.double.calls.map((call) => [keyOf(toFixture(call)), toFixture(call)]));
  const file = new URL('../support/stripe-requests.json', import.meta.url);
  const fixtures = JSON.parse(readFileSync(file, 'utf8')) as Fixture[]; // the file stands beside this test
  expect([...seen.values()]).toEqual(fixtures);
});

it('F56 sends a key with every POST, and the pinned version with every call', () => {
  const { calls } = opened.double;
  expect(calls.filter(({ method, idempotencyKey }) => method === 'POST' && idempotencyKey === undefined)).toEqual([]);
  expect(new Set(calls.map(({ apiVersion }) => apiVersion))).toEqual(new Set(['2026-08-26.dahlia']));
});

async function makeEveryRequest(): Promise<void> {
  const { double, clock } = opened;
  const stripe = createStripeClient({ secretKey: stripeSecretKey, apiUrl: double.baseUrl, timeoutMs: 1_000 });
  const processor = createStripeProcessor({ stripe, clock });
  await askForPeople(processor);
  await moveMoney(processor);
  await lookAtAll(processor);
}

const returnUrl = 'https://builder.example/back?a=1&b=ü';
const window = { sinceMs: Date.parse('2026-11-20T00:00:00Z'), untilMs: Date.parse('2026-11-22T00:00:00Z') };

async function askForPeople({ payoutAccounts, customers }: Processor): Promise<void> {
  const { double } = opened;
  const keyed = { idempotencyKey: 'payout-account:1', reference: 'account-1' };
  const { processorAccountId } = await payoutAccounts.create(keyed);
  await payoutAccounts.createLink({ processorAccountId, returnUrl });
  await payoutAccounts.read(processorAccountId);
  await payoutAccounts.create({ idempotencyKey: 'payout-account:1:DE', reference: 'account-1', country: 'DE' });
  const { url: onboarding } = await payoutAccounts.createLink({ processorAccountId, returnUrl });
  double.people.answerOnboarding(onboarding, 'complete');
  await payoutAccounts.read(processorAccountId);
  await payoutAccounts.createLoginLink({ processorAccountId, ownAddress: returnUrl });
  const [account] = double.state.accounts.values();
  for (let other = 0; other < 100 && account; other += 1)
    double.state.accounts.set(`acct_${other}`, { ...account, id: `acct_${other}`, metadata: {} });
  double.faults.script({ at: 'POST /v1/accounts', what: 500, effect: 'not_done' }); // it is on the second page
  await payoutAccounts.create({ idempotencyKey: 'payout-account:2', reference: 'account-1' });

  const { processorCustomerId } = await customers.create({ idempotencyKey: 'customer:1', reference: 'account-1' });
  const { url } = await customers.createSetupLink({ processorCustomerId, returnUrl });
  double.people.answerSetup(url, 'complete');
  await customers.readPaymentMethod(processorCustomerId);
  await customers.removePaymentMethods(processorCustomerId);
  double.faults.script({ at: 'POST /v1/customers', what: 500, effect: 'done' });
  await customers.create({ idempotencyKey: 'customer:2', reference: 'account-1' });
}

async function moveMoney({ payoutAccounts, customers, ...moving }: Processor): Promise<void> {
  const { people, banks } = opened.double;
  const { processorCustomerId } = await customers.create({ idempotencyKey: 'customer:3', reference: 'account-3' });
  people.answerSetup((await customers.createSetupLink({ processorCustomerId, returnUrl })).url, 'complete');
  const { paymentMethodId = '' } = (await customers.readPaymentMethod(processorCustomerId)) ?? {};
  const payer = { processorCustomerId, paymentMethodId, invoiceId: 'invoice-1' };
  const ordered = (attemptId: string) => ({ attemptId, idempotencyKey: attemptId, amountCents: 1_234n });

  const { objectId: chargeObjectId = '' } = await moving.charges.create({ ...ordered('charge-1'), ...payer });
  await moving.charges.findAll({ ...ordered('charge-1'), ...payer });
  banks.answerCard(paymentMethodId, { declineCode: 'generic_decline' });
  await moving.charges.create({ ...ordered('charge-2'), ...payer });
  await askAgain(moving.charges, chargeObjectId, window);

  const refund = { ...ordered('refund-1'), amountCents: 234n, chargeObjectId, refundId: 'refund-1' };
  const { objectId: refundObjectId = '' } = await moving.refunds.create(refund);
  await moving.refunds.findAll(refund);
  await askAgain(moving.refunds, refundObjectId, window);

  const { processorAccountId } = await payoutAccounts.create({ idempotencyKey: 'account:3', reference: 'account-3' });
  people.answerOnboarding((await payoutAccounts.createLink({ processorAccountId, returnUrl })).url, 'complete');
  banks.setBalance(10_000);
  const transfer = { ...ordered('transfer-1'), processorAccountId, payoutId: 'payout-1' };
  const { objectId: transferObjectId = '' } = await moving.transfers.create(transfer);
  await moving.transfers.findAll(transfer);
  await askAgain(moving.transfers, transferObjectId, window);

  await askAgain(moving.ownPayouts, banks.payOut(100), window);
  await askAgain(moving.disputes, banks.dispute(chargeObjectId), window);
}

async function lookAtAll(processor: Processor): Promise<void> {
  const { payoutAccounts, customers, events, readBalance, findSetupProblems } = processor;
  for (const port of [payoutAccounts, customers])
    for await (const owned of port.listOwned()) expect(owned.objectId).toBeDefined();
  for await (const event of events.list(window)) expect(event.eventId).toBeDefined();
  await readBalance();
  await findSetupProblems();
}

interface Readable {
  read(objectId: string): Promise<unknown>;
  list(window: TimeWindow): AsyncIterable<unknown>;
}

async function askAgain({ read, list }: Readable, objectId: string, window: TimeWindow): Promise<void> {
  await read(objectId);
  for await (const listed of list(window)) expect(listed).toBeDefined();
}

function toFixture({ method, path, fields }: RecordedCall): Fixture {
  return JSON.parse(withoutIds(JSON.stringify({ method, path, fields }))) as Fixture; // as it was before
}

function withoutIds(text: string): string {
  return text.replaceAll(/(acct|cus|pm|cs_test|pi|re|tr|du|po)_[0-9a-f]{1,24}\b/g, '$1_1');
}

function keyOf({ method, path, fields }: Fixture): string {
  return `${method} ${path} ${Object.keys(fields).join(' ')}`;
}
