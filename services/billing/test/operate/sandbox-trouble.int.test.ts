import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { onboard } from '../support/connect-builder.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken as token, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling({ hasSandboxClock: true });
let builder: TestAccount;

/** November ends with an unpaid invoice of 5 USD for each of many consumers, none of whom has a card. */
const consumers: { account: TestAccount; invoiceId: string }[] = [];
const consumersMax = 12;

beforeAll(async () => {
  builder = await billing.newAccount();
  await onboard(billing, builder, 'complete');
  const body = { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } };
  await billing.send('POST', '/v1/tools', { ...builder, body });
  for (let place = 0; place < consumersMax; place += 1) {
    const account = await billing.newAccount();
    const usage = { consumerId: account.accountId, tool: 'search', hour: '2026-11-21T12:00:00Z', calls: 500 };
    await putRollup(billing.owner, usage);
    consumers.push({ account, invoiceId: '' });
  }
  await moveTo('2026-12-02T00:01:00Z');
  for (const consumer of consumers) {
    const { body: list } = await billing.send<{ invoices: { id: string }[] }>(
      'GET',
      '/v1/billing/invoices',
      consumer.account,
    );
    consumer.invoiceId = list.invoices[0]?.id ?? '';
  }
}, 60_000);

/** All that was received before is counted; the clock stands still there. */
async function moveTo(now: string): Promise<void> {
  await putWatermark(billing.owner, now);
  isDone(await billing.send('POST', '/v1/sandbox/clock', { token, body: { now, frozen: true } }));
}

async function advance(seconds: number): Promise<void> {
  await moveTo(new Date(Date.parse(await readClock()) + seconds * 1_000).toISOString());
}

const readClock = async () => (await billing.send<{ now: string }>('GET', '/v1/sandbox/clock', { token })).body.now;
const script = (body: object) => billing.send('POST', '/v1/sandbox/failures', { token, body }).then(isDone);
const dispute = (body: object) => billing.send('POST', '/v1/sandbox/disputes', { token, body });

function isDone({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
}

interface Invoice {
  readonly status: string;
  readonly refunded_usd: number;
}

interface Attempts {
  readonly attempts: { readonly status: string; readonly failure_code: string | null }[];
}

const takeConsumer = () => {
  const consumer = consumers.pop();
  if (!consumer) throw new Error('more consumers are needed');
  return {
    ...consumer,
    setUpCard: (card: 'visa' | 'declined') => setUpCard(billing, consumer.account, card),
    invoice: async () =>
      (await billing.send<Invoice>('GET', `/v1/billing/invoices/${consumer.invoiceId}`, consumer.account)).body,
    attempts: async () =>
      (await billing.send<Attempts>('GET', `/v1/operator/invoices/${consumer.invoiceId}/attempts`, { token })).body
        .attempts,
    /** What the processor took for the invoice, in cents. */
    taken: () => movedAtProcessor(consumer.invoiceId),
  };
};

type Consumer = ReturnType<typeof takeConsumer>;

const movedAtProcessor = async (subjectId: string) =>
  (
    await billing.owner.query<{ amount_cents: bigint }>(
      `select amount_cents from sandbox.movement where subject_id = $1 and status = 'succeeded'`,
      [subjectId],
    )
  ).map((row) => Number(row.amount_cents));

/** Every webhook of what has happened is there, and applied. */
const allTold = () =>
  eventually(
    async () => {
      const waiting = await billing.owner.query(
        `select event_id from sandbox.event where delivered_at is null and created_at <= $1
         union all select event_id from billing.webhook_event where applied_at is null`,
        [await readClock()],
      );
      return waiting.length === 0;
    },
    { withinMs: 25_000 },
  );

const becomes = (consumer: Consumer, status: string) =>
  eventually(async () => (await consumer.invoice()).status === status, { withinMs: 25_000 });
const hasAttempts = (consumer: Consumer, statuses: readonly string[]) =>
  eventually(
    async () => JSON.stringify((await consumer.attempts()).map(({ status }) => status)) === JSON.stringify(statuses),
    { withinMs: 25_000 },
  );

describe('collections', () => {
  it('are declined with a card that declines, and go through once there is a better one', async () => {
    const consumer = takeConsumer();
    await consumer.setUpCard('declined');
    await hasAttempts(consumer, ['failed']);
    expect(await consumer.attempts()).toMatchObject([{ failure_code: 'declined' }]);
    expect(await consumer.invoice()).toMatchObject({ status: 'open' });
    await consumer.setUpCard('visa');
    await becomes(consumer, 'paid');
    expect(await consumer.taken()).toEqual([500]);
  });

  it('are declined as scripted, for this invoice alone, and tried again a day later', async () => {
    const [consumer, other] = [takeConsumer(), takeConsumer()];
    await script({ on: 'charge', failure: 'decline', invoice_id: consumer.invoiceId });
    await other.setUpCard('visa');
    await becomes(other, 'paid');
    await consumer.setUpCard('visa');
    await hasAttempts(consumer, ['failed']);
    expect(await consumer.invoice()).toMatchObject({ status: 'open' });
    await advance(86_400);
    expect(await consumer.invoice()).toMatchObject({ status: 'paid' });
    expect(await consumer.taken()).toEqual([500]);
  });

  it('F57 are taken once where the answer was lost after the effect', async () => {
    const consumer = takeConsumer();
    await script({ on: 'charge', failure: 'timeout_after_effect', invoice_id: consumer.invoiceId });
    await consumer.setUpCard('visa');
    await eventually(async () => (await consumer.taken()).length > 0, { withinMs: 25_000 });
    await advance(120);
    await becomes(consumer, 'paid');
    expect(await consumer.taken()).toEqual([500]);
    expect(await consumer.attempts()).toHaveLength(1);
  });

  it('F57 are taken once where nothing was done before the answer was lost, however often', async () => {
    const consumer = takeConsumer();
    await script({ on: 'charge', failure: 'timeout_before_effect', times: 3, invoice_id: consumer.invoiceId });
    await consumer.setUpCard('visa');
    await hasAttempts(consumer, ['unknown']);
    await advance(120);
    await advance(120);
    expect([await consumer.taken(), (await consumer.invoice()).status]).toEqual([[], 'open']);
    await advance(120);
    await becomes(consumer, 'paid');
    expect(await consumer.taken()).toEqual([500]);
    expect(await consumer.attempts()).toHaveLength(1);
  });

  it('F57 are known by webhook before an answer that comes five seconds late', async () => {
    const consumer = takeConsumer();
    await script({ on: 'charge', failure: 'delay', invoice_id: consumer.invoiceId });
    await consumer.setUpCard('visa');
    await becomes(consumer, 'paid');
    expect(await consumer.taken()).toEqual([500]);
  }, 40_000);
});

describe('refunds', () => {
  const order = ({ invoiceId }: Consumer) =>
    billing.send<{ id: string; status: string }>('POST', `/v1/operator/invoices/${invoiceId}/refunds`, {
      token,
      body: { amount_usd: 2 },
    });

  it.each(['timeout_before_effect', 'timeout_after_effect'])('F57 are given once after a %s', async (failure) => {
    const consumer = takeConsumer();
    await consumer.setUpCard('visa');
    await becomes(consumer, 'paid');
    await script({ on: 'refund', failure, invoice_id: consumer.invoiceId });
    const { body: refund } = await order(consumer);
    await advance(120);
    await eventually(async () => (await consumer.invoice()).refunded_usd === 2, { withinMs: 25_000 });
    expect(await movedAtProcessor(refund.id)).toEqual([200]);
  });
});

describe('POST /v1/sandbox/disputes', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = takeConsumer();
    await consumer.setUpCard('visa');
    await becomes(consumer, 'paid');
  });

  it('201, F52: one that is won takes nothing, one that is lost its money, told by webhook', async () => {
    const won = await dispute({ invoice_id: consumer.invoiceId, amount_usd: 4, outcome: 'won' });
    expect(won).toMatchObject({ status: 201, body: { amount_usd: 4, outcome: 'won' } });
    const lost = await dispute({ invoice_id: consumer.invoiceId, amount_usd: 1.5, outcome: 'lost' });
    expect(lost).toMatchObject({ status: 201, body: { amount_usd: 1.5, outcome: 'lost' } });
    await eventually(async () => (await consumer.invoice()).refunded_usd === 1.5, { withinMs: 25_000 });
    const known = () =>
      billing.owner.query(
        'select status, amount_cents::int as cents from billing.dispute where invoice_id = $1 order by amount_cents',
        [consumer.invoiceId],
      );
    await eventually(async () => (await known()).length === 2, { withinMs: 25_000 });
    expect(await known()).toEqual([
      { status: 'lost', cents: 150 },
      { status: 'won', cents: 400 },
    ]);
  });

  it('422: takes no more than is left', async () => {
    const refused = await dispute({ invoice_id: consumer.invoiceId, amount_usd: 3.51, outcome: 'lost' });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'refund_too_large', errors: [{ pointer: '/amount_usd' }] },
    });
  });

  it('409: needs an invoice that was paid', async () => {
    const { invoiceId } = takeConsumer();
    const refused = await dispute({ invoice_id: invoiceId, amount_usd: 1, outcome: 'lost' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'invoice_not_paid' } });
  });

  it('404: needs an invoice', async () => {
    const refused = await dispute({ invoice_id: builder.accountId, amount_usd: 1, outcome: 'lost' });
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it.each([
    ['/invoice_id', { amount_usd: 1, outcome: 'lost' }],
    ['/amount_usd', { invoice_id: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b', amount_usd: 0.001, outcome: 'lost' }],
    ['/outcome', { invoice_id: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b', amount_usd: 1, outcome: 'open' }],
  ])('400: points at %s of %j', async (pointer, body) => {
    expect(await dispute(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it('401, 404: is the operator’s alone', async () => {
    expect(await billing.send('POST', '/v1/sandbox/disputes', { body: {} })).toMatchObject({ status: 401 });
    const asked = await billing.send('POST', '/v1/sandbox/disputes', { ...builder, body: {} });
    expect(asked).toMatchObject({ status: 404 });
  });
});

describe('payouts', () => {
  interface PayoutRow {
    readonly payout_id: string;
    readonly status: string;
    readonly net_cents: string;
  }
  const payout = async () =>
    (await billing.owner.query<PayoutRow>('select payout_id, status, net_cents from billing.payout'))[0];
  const attempts = async () =>
    (
      await billing.owner.query<{ status: string; failure_code: string | null }>(
        `select status, failure_code from billing.processor_attempt where kind = 'transfer' order by number`,
      )
    ).map(({ status, failure_code }) => failure_code ?? status);

  it('F50, F53, F57 are paid in the end, whatever goes wrong on the way, and once', async () => {
    for (const failure of ['insufficient_funds', 'timeout_before_effect', 'reverse_later', 'timeout_after_effect'])
      await script({ on: 'transfer', failure });
    await moveTo('2026-12-08T00:00:00Z');
    expect(await payout()).toMatchObject({ status: 'scheduled' });
    expect(await attempts()).toEqual(['insufficient_funds_of_platform']);

    await advance(86_400); // tried again, and no answer
    await advance(120); // looked up, not there, given again: it is paid
    expect(await payout()).toMatchObject({ status: 'paid' });
    expect(await attempts()).toEqual(['insufficient_funds_of_platform', 'succeeded']);

    await allTold(); // a webhook that is late would be enough to find what comes
    await advance(3_600); // it comes back, and a webhook tells
    await eventually(async () => (await payout())?.status === 'failed', { withinMs: 25_000 });
    await advance(86_400);
    await advance(120);
    await eventually(async () => (await payout())?.status === 'paid', { withinMs: 25_000 });
    expect(await attempts()).toEqual(['insufficient_funds_of_platform', 'reversed', 'succeeded']);

    const { payout_id: id = '', net_cents: net = '0' } = (await payout()) ?? {};
    const kept = await billing.owner.query(
      `select amount_cents::int as cents from sandbox.movement
       where subject_id = $1 and status = 'succeeded' and (reverses_at is null or reverses_at > $2)`,
      [id, await readClock()],
    );
    expect(kept).toEqual([{ cents: Number(net) }]);
  }, 60_000);
});
