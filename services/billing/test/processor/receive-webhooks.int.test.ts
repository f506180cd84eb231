import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { standInFor, useOnce } from '@tollgate/testkit/use-world';
import { askLink, onboard, readAccount } from '../support/connect-builder.ts';
import {
  type TestAccount,
  operatorToken,
  startBilling,
  startOfTests,
  testWebhookSecret,
  useBilling,
} from '../support/start-billing.ts';
import { startStripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';
import { signStripeWebhook } from '@tollgate/testkit/stripe-double/stripe-webhooks';
import { stripeSecretKey } from '../support/open-stripe.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { createMovableClock } from '@tollgate/kernel/clock';
import {
  countNoticeFailure,
  listUnappliedNotices,
  markNoticeApplied,
  storeNotice,
} from '../../src/processor/sql-webhook-events.ts';
import { useDatabase } from '../support/use-database.ts';

let builder: TestAccount;
let processorAccountId: string;

interface Sent {
  readonly id?: string;
  readonly type?: string;
  readonly objectId?: string;
  readonly ageSeconds?: number;
  readonly secret?: string;
  readonly tamper?: (rawBody: string) => string;
}

const newId = () => `evt_${randomUUID()}`;

interface Stored {
  readonly applied_at: Date | null;
  readonly attempts: number;
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

const secret = 'whsec_of_these_tests';
const { log, heard } = hearingLog();

/** Billing with the double of Stripe, which sends it webhooks. */
function useStripeBilling(heardBy?: Logger) {
  const opened = useOnce(async () => {
    let nowMs = () => Date.parse(startOfTests);
    const double = await startStripeDouble({ secretKey: stripeSecretKey, nowMs: () => nowMs() });
    const ofStripe = {
      STRIPE_SECRET_KEY: stripeSecretKey,
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_URL: double.baseUrl,
    };
    const settings = { PROCESSOR: 'stripe', ...ofStripe };
    const billing = await startBilling({ settings, ...(heardBy && { log: heardBy }) });
    nowMs = billing.clock.now;
    double.webhooks.sendTo({ url: `${billing.baseUrl}/v1/webhooks/stripe`, secret });
    const stop = async () => {
      await billing.stop();
      await double.close();
    };
    return { billing, double, stop };
  });
  return { billing: standInFor(() => opened.billing), double: standInFor(() => opened.double) };
}

const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));

const noticeOf = (eventId: string) => ({
  eventId,
  type: 'account.updated',
  object: { kind: 'account' as const, id: 'acct' },
});

describe('receive sandbox webhook', () => {
  const billing = useBilling();

  beforeAll(async () => {
    builder = await billing.newAccount();
    processorAccountId = (await onboard(billing, builder, 'complete')).processor_account_id ?? '';
  });

  /** Written anew from the route's description, not with the sender's code. */
  function post(sent: Sent = {}) {
    const { id = newId(), type = 'account.updated', objectId = processorAccountId, ageSeconds = 0 } = sent;
    const seconds = Math.floor(billing.clock.now() / 1_000) - ageSeconds;
    const rawBody = JSON.stringify({ id, type, created: seconds, object_id: objectId });
    const digest = createHmac('sha256', sent.secret ?? testWebhookSecret)
      .update(`${seconds}.${rawBody}`)
      .digest('hex');
    return send(sent.tamper?.(rawBody) ?? rawBody, `t=${seconds},v1=${digest}`);
  }

  function send(rawBody: string, signature?: string) {
    const headers = {
      'content-type': 'application/json',
      ...(signature !== undefined && { 'sandbox-signature': signature }),
    };
    return billing.send('POST', '/v1/webhooks/sandbox', { headers, rawBody });
  }

  const setAtProcessor = (arePayoutsEnabled: boolean, id = processorAccountId) =>
    billing.owner.query('update sandbox.account set payouts_enabled = $2 where account_id = $1', [
      id,
      arePayoutsEnabled,
    ]);

  /** As many who have gone through onboarding; their ids at the processor. */
  async function addBuilders(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => `acct_sandbox_of_order_${index}`);
    await billing.owner.query(
      `with made as (
       insert into sandbox.account (account_id, idempotency_key, reference, details_submitted, created_at)
       select id, id, id, true, '2026-11-21T00:00:00Z' from unnest($1::text[]) as t (id) returning account_id)
     insert into billing.connected_account (account_id, processor, processor_account_id, created_at)
     select gen_random_uuid(), 'sandbox', account_id, '2026-11-21T00:00:00Z' from made`,
      [ids],
    );
    return ids;
  }

  const inbox = (id: string) =>
    billing.owner.query<Stored>('select applied_at, attempts from billing.webhook_event where event_id = $1', [id]);

  const unapplied = () => billing.owner.query('select 1 from billing.webhook_event where applied_at is null');
  const allApplied = () => eventually(async () => (await unapplied()).length === 0, { withinMs: 30_000 });

  const isPayoutEnabled = async () => (await readAccount(billing, builder)).payout_enabled;

  describe('POST /v1/webhooks/sandbox: 204', () => {
    it('stores the webhook before it answers, and applies it by reading the object again', async () => {
      await setAtProcessor(false);
      const id = newId();
      expect((await post({ id })).status).toBe(204);
      expect(await inbox(id)).toHaveLength(1);
      await allApplied();
      expect(await isPayoutEnabled()).toBe(false);
    });

    it('F62 stores one webhook once when it arrives ten times at once', async () => {
      await setAtProcessor(true);
      const id = newId();
      const answers = await Promise.all(Array.from({ length: 10 }, () => post({ id })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      expect(await inbox(id)).toHaveLength(1);
      await allApplied();
      expect(await isPayoutEnabled()).toBe(true);
      const [first] = await inbox(id);
      billing.clock.advance(60_000);
      await post({ id });
      await allApplied();
      expect(await inbox(id)).toEqual([first]);
    });

    it('F63 ends where the processor is, in each order in which five webhooks can arrive', async () => {
      const orders = permutations([0, 1, 2, 3, 4]);
      const ids = await addBuilders(orders.length);
      const changes = [true, false, true, false];
      const deliver = async (order: readonly number[], index: number): Promise<void> => {
        for (const [step, place] of order.entries()) {
          await setAtProcessor(changes[step] ?? index % 2 === 0, ids[index]);
          await post({ id: `evt_${index}_${place}`, objectId: ids[index] ?? '' });
        }
      };
      const waiting = [...orders.entries()]; // twenty at a time: the pool has five connections
      while (waiting.length > 0)
        await Promise.all(waiting.splice(0, 20).map(([index, order]) => deliver(order, index)));
      await allApplied();
      const text = `select payouts_enabled as is_enabled from billing.connected_account
      where processor_account_id = any($1) order by array_position($1, processor_account_id)`;
      expect(await billing.owner.query(text, [ids])).toEqual(ids.map((_, index) => ({ is_enabled: index % 2 === 0 })));
    }, 60_000);

    it('F63 accepts a late webhook', async () => {
      await setAtProcessor(false);
      await post();
      await allApplied();
      expect((await post({ ageSeconds: 300 })).status).toBe(204);
      await allApplied();
      expect(await isPayoutEnabled()).toBe(false);
    });

    it('accepts unknown types and unknown accounts', async () => {
      expect((await post({ type: 'weather.changed', objectId: 'sun' })).status).toBe(204);
      expect((await post({ objectId: 'acct_sandbox_of_somebody_else' })).status).toBe(204);
      await allApplied();
    });

    it('does not connect a disconnected account again', async () => {
      await billing.send('DELETE', '/v1/billing/connect', builder);
      await post();
      await allApplied();
      expect(await readAccount(billing, builder)).toMatchObject({ processor_connected: false, payout_enabled: false });
      await billing.send('POST', '/v1/billing/connect', {
        ...builder,
        body: { return_url: 'https://builder.example' },
      });
    });

    it('keeps a webhook that cannot be applied until it can; others do not wait', async () => {
      await setAtProcessor(true);
      await billing.owner.query('alter table sandbox.account rename to account_away');
      const id = newId();
      expect((await post({ id })).status).toBe(204);
      await eventually(async () => ((await inbox(id))[0]?.attempts ?? 0) > 0, { withinMs: 3_000 });
      const other = newId();
      await post({ id: other, type: 'weather.changed' });
      await eventually(async () => (await inbox(other))[0]?.applied_at != null, { withinMs: 3_000 });
      expect(await inbox(id)).toMatchObject([{ applied_at: null }]);
      await billing.owner.query('alter table sandbox.account_away rename to account');
      await post();
      await allApplied();
      expect(await isPayoutEnabled()).toBe(true);
    });
  });

  describe('POST /v1/webhooks/sandbox: 400, 413', () => {
    const stored = async () => (await billing.owner.query('select 1 from billing.webhook_event')).length;

    it.each<[string, Sent]>([
      ['with another secret', { secret: 'another secret of sufficient length' }],
      ['301 s old', { ageSeconds: 301 }],
      ['301 s ahead', { ageSeconds: -301 }],
      ['serialised again', { tamper: (rawBody) => JSON.stringify(JSON.parse(rawBody), null, 1) }],
      ['with another body', { tamper: (rawBody) => rawBody.replace('account.updated', 'account.updateD') }],
      ['with an empty body', { tamper: () => '' }],
      ['signed, but no event', { id: '' }],
    ])('F64 refuses one %s, and keeps nothing of it', async (_name, sent) => {
      const before = await stored();
      expect(await post(sent)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(await stored()).toBe(before);
    });

    it.each([undefined, '', 'v1=00', `t=1,v1=${'0'.repeat(64)}`, `t=${'9'.repeat(12)},v1=${'0'.repeat(64)}`, 't=,v1='])(
      'F64 refuses the signature %s',
      async (signature) => {
        expect(await send('{}', signature)).toMatchObject({ status: 400 });
      },
    );

    it('reads no more than 64 KiB', async () => {
      expect(await send('a'.repeat(65_537), 't=1,v1=0')).toMatchObject({ status: 413 });
    });
  });
});

describe('receive stripe webhook', () => {
  const { billing, double } = useStripeBilling();
  beforeAll(async () => void (builder = await billing.newAccount()));

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
});

describe('connect stripe', () => {
  const { billing, double } = useStripeBilling(log);

  beforeEach(async () => {
    double.state.platform.isApprovedForTransfers = true;
    builder = await billing.newAccount();
  });

  const connect = (country?: string) =>
    billing.send<{ detail: string; connect_url: string }>('POST', '/v1/billing/connect', {
      ...builder,
      body: { return_url: 'https://builder.example/back', ...(country !== undefined && { country }) },
    });

  /** As on the pages docs.stripe.com/connect/account-capabilities and docs.stripe.com/error-codes. */
  describe('POST /v1/billing/connect, while Stripe refuses', () => {
    it('F168 502: the platform is not approved for transfers; it works once it is', async () => {
      double.state.platform.isApprovedForTransfers = false;
      const refused = await connect();
      expect(refused).toMatchObject({ status: 502, body: { code: 'processor_refused' } });
      expect(refused.body.detail).toContain('approve accounts with the capability `transfers`');
      expect(refused.body.detail).toContain('transfers_not_approved in docs/stripe.md');
      const stripe = {
        status: 400,
        request_id: expect.stringMatching(/^req_\d+$/),
        message: expect.stringContaining('needs approval'),
      };
      const reason = { stripe, endpoint: 'POST /v1/accounts', operator_task: 'transfers_not_approved' };
      expect(heard('').find((line) => line['status'] === 502)).toMatchObject({ reason });
      expect(JSON.stringify(heard(''))).not.toContain(stripeSecretKey);
      double.state.platform.isApprovedForTransfers = true;
      expect(await connect()).toMatchObject({ status: 200 });
    });

    it('F168 503: Stripe does not answer', async () => {
      double.faults.script({ at: 'POST /v1/accounts', what: 'cut', effect: 'not_done', times: 3 });
      expect(await connect()).toMatchObject({ status: 503, body: { code: 'processor_unavailable' } });
    });
  });

  /** As on the pages docs.stripe.com/connect/service-agreement-types and docs.stripe.com/error-codes. */
  describe('the country of a builder', () => {
    const accounts = () =>
      [...double.state.accounts.values()].filter(({ metadata }) => metadata['tollgate_account'] === builder.accountId);

    it('goes to Stripe, with the recipient agreement if it is not the platform’s', async () => {
      expect(await connect('US')).toMatchObject({ status: 200 });
      expect(accounts()).toMatchObject([{ country: 'US', tos_acceptance: { service_agreement: 'full' } }]);
      expect(await connect('DE')).toMatchObject({ status: 200 });
      expect(await connect('DE')).toMatchObject({ status: 200 });
      const german = { country: 'DE', tos_acceptance: { service_agreement: 'recipient' } };
      expect(accounts()).toMatchObject([{ country: 'US' }, german]);
    });

    it('400: is one in which Stripe pays nobody', async () => {
      const errors = [{ pointer: '/country', code: 'country_unsupported' }];
      expect(await connect('KP')).toMatchObject({ status: 400, body: { errors } });
    });
  });

  /** As on the page docs.stripe.com/connect/payouts-connected-accounts. */
  describe('a connected account in trouble', () => {
    async function readOfOperator() {
      const path = `/v1/operator/accounts/${builder.accountId}/payout-account`;
      return (await billing.send('GET', path, { token: operatorToken })).body;
    }

    it('F169 shows builder and operator the payout that the bank refused, until one arrives', async () => {
      const { body } = await connect();
      expect(await readOfOperator()).toMatchObject({ details_submitted: false, bank_failure: null });
      double.people.answerOnboarding(body.connect_url, 'complete');
      await eventually(async () => (await readAccount(billing, builder)).processor_connected, { withinMs: 3_000 });
      const connected = (await readAccount(billing, builder)).processor_account_id ?? '';
      double.banks.payOutAccount(connected, 'account_closed');
      const bank_failure = { code: 'account_closed', failed_at: expect.any(String) };
      const isShown = async () => (await readOfOperator()) as { bank_failure: object | null };
      await eventually(async () => (await isShown()).bank_failure !== null, { withinMs: 3_000 });
      expect(await readOfOperator()).toMatchObject({ account_id: builder.accountId, bank_failure });
      expect(await readAccount(billing, builder)).toMatchObject({ payout_enabled: true, bank_failure });
      expect(heard('the bank of a builder refused')).toMatchObject([{ failure_code: 'account_closed' }]);
      double.banks.payOutAccount(connected);
      await eventually(async () => (await isShown()).bank_failure === null, { withinMs: 3_000 });
      const [login] = [await billing.send<{ login_url: string }>('POST', '/v1/billing/account/login-link', builder)];
      expect(login.body.login_url).toContain(connected);
    });
  });
});

describe('webhook events', () => {
  const database = useDatabase();

  it('lists the oldest first, those that failed last, those applied no more, and no other processor’s', async () => {
    const { worker } = database;
    const store = (eventId: string, processor = 'sandbox') =>
      storeNotice(worker, { ...noticeOf(eventId), createdAtMs: clock.now() }, { processor, atMs: clock.now() });
    const ofSandbox = (eventId: string) => ({ processor: 'sandbox', eventId });
    for (const eventId of ['first', 'second', 'third']) {
      await store(eventId);
      clock.advance(1_000);
    }
    await store('first');
    await store('first', 'another');
    await markNoticeApplied(worker, { processor: 'another', eventId: 'first' }, clock.now());
    const listed = async (max = 10) =>
      (await listUnappliedNotices(worker, 'sandbox', max)).map(({ eventId }) => eventId);
    expect(await listed()).toEqual(['first', 'second', 'third']);
    await countNoticeFailure(worker, ofSandbox('first'));
    expect(await listed()).toEqual(['second', 'third', 'first']);
    expect(await listed(1)).toEqual(['second']);
    await markNoticeApplied(worker, ofSandbox('second'), clock.now());
    expect(await listUnappliedNotices(worker, 'sandbox', 10)).toEqual([noticeOf('third'), noticeOf('first')]);
  });
});
