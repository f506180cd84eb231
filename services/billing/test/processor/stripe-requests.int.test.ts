import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedCall } from '@tollgate/testkit/stripe-double/start-stripe-double';
import type { Processor, TimeWindow } from '../../src/processor/processor.ts';
import { type OpenStripe, openStripe, stripeSecretKey } from '../support/open-stripe.ts';
import { createStripeClient } from '../../src/processor/stripe/stripe-client.ts';
import { createStripeProcessor } from '../../src/processor/stripe/stripe-processor.ts';
import { inspect } from 'node:util';
import type { StripeFault } from '@tollgate/testkit/stripe-double/stripe-faults';

let opened: OpenStripe;

interface Fixture {
  readonly method: string;
  readonly path: string;
  /** The fields of the query or the form, as they are written there. */
  readonly fields: Readonly<Record<string, string>>;
}

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
let processor: Processor;

/** With a pace of its own, and nothing remembered. */
function newProcess(secretKey = stripeSecretKey): Processor {
  const { double, clock } = opened;
  const stripe = createStripeClient({ secretKey, apiUrl: double.baseUrl, timeoutMs: 1_000 });
  return createStripeProcessor({ stripe, clock });
}

let keys = 0;
const newKey = () => ({ idempotencyKey: `fault-${(keys += 1)}`, reference: `account-${keys}` });
const script = (fault: StripeFault) => opened.double.faults.script(fault);

const accountsOf = (reference: string) =>
  [...opened.double.state.accounts.values()].filter(({ metadata }) => metadata['tollgate_account'] === reference);
const posts = () => opened.double.calls.filter(({ method }) => method === 'POST');

function addAccount(other: number): void {
  const [some] = opened.double.state.accounts.values();
  if (!some) throw new Error('the tests before have made one');
  const id = `acct_other_${other}`;
  opened.double.state.accounts.set(id, { ...some, id, metadata: { tollgate_account: id } });
}

describe('stripe requests', () => {
  beforeAll(async () => {
    opened = await openStripe();
  });

  afterAll(() => opened.double.close());

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
});

describe('stripe faults', () => {
  beforeAll(async () => {
    opened = await openStripe();
  });

  afterAll(() => opened.double.close());

  beforeEach(() => {
    opened.double.faults.clear();
    opened.double.calls.length = 0;
    processor = newProcess();
  });

  describe('a call whose outcome is not known', () => {
    const faults: StripeFault[] = (['hang', 'cut', 500] as const).flatMap((what) =>
      (['done', 'not_done'] as const).map((effect) => ({ at: 'POST /v1/accounts', what, effect })),
    );

    it.each(faults)('F56 F57 F59 makes one account: $what, effect $effect', async (fault) => {
      const keyed = newKey();
      script(fault);
      const { processorAccountId } = await processor.payoutAccounts.create(keyed);
      expect(accountsOf(keyed.reference).map(({ id }) => id)).toEqual([processorAccountId]);
      expect(posts().length).toBeLessThanOrEqual(3);
    });

    it.each(['hang', 'cut', 409] as const)('F57 is given up after three tries, all with one key: %s', async (what) => {
      const keyed = newKey();
      script({ at: 'POST /v1/accounts', what, effect: 'not_done', times: 9 });
      await expect(processor.payoutAccounts.create(keyed)).rejects.toMatchObject({ kind: 'unavailable' });
      expect(posts().map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(3).fill(keyed.idempotencyKey));
      expect(accountsOf(keyed.reference)).toEqual([]);
    });
  });

  describe('F59 a failure that Stripe keeps under the key', () => {
    it('is noticed, the object looked for, and another key used only where there is none', async () => {
      const keyed = newKey();
      script({ at: 'POST /v1/accounts', what: 500, effect: 'not_done' });
      await processor.payoutAccounts.create(keyed);
      const { idempotencyKey: key } = keyed;
      expect(opened.double.calls.map((call) => [call.method, call.idempotencyKey])).toEqual([
        ['POST', key],
        ['POST', key],
        ['GET', undefined],
        ['POST', `${key}:2`],
      ]);
    });

    it('ends with the same account after a crash at any place, and for all who ask at once', async () => {
      const keyed = newKey();
      script({ at: 'POST /v1/customers', what: 500, effect: 'not_done' });
      const made = await processor.customers.create(keyed);
      const again = await Promise.all([1, 2, 3].map(() => newProcess().customers.create(keyed)));
      expect(new Set([made, ...again].map(({ processorCustomerId }) => processorCustomerId)).size).toBe(1);
    });

    it('finds the object among more than a page of them', async () => {
      const keyed = newKey();
      script({ at: 'POST /v1/accounts', what: 500, effect: 'done' });
      script({ at: 'POST /v1/accounts', what: 'cut', effect: 'not_done', times: 2 });
      await expect(processor.payoutAccounts.create(keyed)).rejects.toMatchObject({ kind: 'unavailable' });
      for (let other = 0; other < 120; other += 1) addAccount(other);
      const { processorAccountId } = await newProcess().payoutAccounts.create(keyed);
      expect(accountsOf(keyed.reference).map(({ id }) => id)).toEqual([processorAccountId]);
    });
  });

  describe('F58 an endpoint that has had too much', () => {
    it('is left alone for as long as it asks, and then served', async () => {
      const keyed = newKey();
      script({ at: 'POST /v1/accounts', what: 429, effect: 'not_done', retryAfterSeconds: 1 });
      const startedMs = opened.clock.monotonicMs();
      const { processorAccountId } = await processor.payoutAccounts.create(keyed);
      expect(opened.clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(1_000);
      expect(accountsOf(keyed.reference).map(({ id }) => id)).toEqual([processorAccountId]);
    });

    it('is reported as unavailable, at once, where it asks for longer than anybody would wait', async () => {
      script({ at: 'POST /v1/accounts', what: 429, effect: 'not_done', retryAfterSeconds: 30 });
      const busy = { kind: 'unavailable', retryAfterSeconds: expect.any(Number) };
      await expect(processor.payoutAccounts.create(newKey())).rejects.toMatchObject(busy);
      await expect(processor.payoutAccounts.create(newKey())).rejects.toMatchObject(busy);
      expect(opened.double.calls).toHaveLength(1);
      await processor.customers.create(newKey()); // another endpoint
    });

    it('gets at most 20 calls a second', async () => {
      const { processorAccountId } = await processor.payoutAccounts.create(newKey());
      const startedMs = opened.clock.monotonicMs();
      await Promise.all(Array.from({ length: 21 }, () => processor.payoutAccounts.read(processorAccountId)));
      expect(opened.clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(980);
    });
  });

  describe('removing a payment method', () => {
    async function newCardHolder(): Promise<string> {
      const { processorCustomerId } = await processor.customers.create(newKey());
      const link = await processor.customers.createSetupLink({ processorCustomerId, returnUrl: 'https://a.example' });
      opened.double.people.answerSetup(link.url, 'complete');
      return processorCustomerId;
    }

    it.each(['hang', 'cut', 500] as const)('F57 believes the list and not the answer: %s', async (what) => {
      const processorCustomerId = await newCardHolder();
      script({ at: 'POST /v1/payment_methods/', what, effect: 'done' });
      await processor.customers.removePaymentMethods(processorCustomerId);
      expect(await processor.customers.readPaymentMethod(processorCustomerId)).toBeUndefined();
    });

    it('F59 uses another key where the failure of the first one is kept', async () => {
      const processorCustomerId = await newCardHolder();
      script({ at: 'POST /v1/payment_methods/', what: 500, effect: 'not_done' });
      await processor.customers.removePaymentMethods(processorCustomerId);
      expect(await processor.customers.readPaymentMethod(processorCustomerId)).toBeUndefined();
    });
  });

  describe('a failure', () => {
    it('waits for what is slow', async () => {
      script({ at: 'POST /v1/customers', what: 'slow', effect: 'done' });
      await processor.customers.create(newKey());
      expect(posts()).toHaveLength(1);
    });

    it('F168 of the secret says what the operator has to do, and shows no secret', async () => {
      const secret = 'sk_test_that_nobody_knows';
      const error: unknown = await newProcess(secret)
        .customers.create(newKey())
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'processor_refused', message: expect.stringContaining('STRIPE_SECRET_KEY') });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('sk_test');
      expect(posts()).toHaveLength(1);
    });
  });
});
