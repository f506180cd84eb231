import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StripeFault } from '@tollgate/testkit/stripe-double/stripe-faults';
import type { Processor } from '../../src/processor/processor.ts';
import { openStripe, stripeSecretKey, type OpenStripe } from '../support/open-stripe.ts';
import { createStripeClient } from '../../src/processor/stripe/stripe-client.ts';
import { createStripeProcessor } from '../../src/processor/stripe/stripe-processor.ts';

let opened: OpenStripe;
let processor: Processor;

beforeAll(async () => {
  opened = await openStripe();
});

afterAll(() => opened.double.close());

beforeEach(() => {
  opened.double.faults.clear();
  opened.double.calls.length = 0;
  processor = newProcess();
});

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

function addAccount(other: number): void {
  const [some] = opened.double.state.accounts.values();
  if (!some) throw new Error('the tests before have made one');
  const id = `acct_other_${other}`;
  opened.double.state.accounts.set(id, { ...some, id, metadata: { tollgate_account: id } });
}

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
