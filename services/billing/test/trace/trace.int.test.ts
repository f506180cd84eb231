import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Trace } from '@tollgate/contracts/operator/trace';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import { type TestEvent, putEvent } from '../support/put-event.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { type TestAccount, operatorToken, useBilling } from '../support/start-billing.ts';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { type RunDueWork, createRunDueWork } from '../../src/operate/run-due-work.ts';
import { onboard } from '../support/connect-builder.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { wireMoney } from '../support/wire-money.ts';

type Answer = Trace & { code: string; detail: string; counted_through: string };
let builder: TestAccount;
let stranger: TestAccount;

const hour = '2026-11-20T10:00:00.000Z';
const countedThrough = '2026-11-21T12:00:00.000Z';
let runDueWork: RunDueWork;
let carol: TestAccount; // is let off
let dave: TestAccount; // never pays
let erin: TestAccount; // uses little

const at = '2026-11-20T10:20:00.000Z';

let call: string; // one of bob's two
let ofCarol: string;
let ofDave: string;
let ofErin: string;

describe('trace event', () => {
  const billing = useBilling();
  let bob: TestAccount;

  beforeAll(async () => {
    [builder, bob, stranger] = [await billing.newAccount(), await billing.newAccount(), await billing.newAccount()];
    await billing.newTool(builder, { slug: 'search', price: { per_call_usd: '0.6' } });
    await billing.newTool(builder, { slug: 'gratis', price: { currency: 'usd', charges: [] } });
    const tiers = [
      { up_to: '2', unit_price_usd: '0.5' },
      { up_to: null, unit_price_usd: '0.2' },
    ];
    const tokens = { type: 'metadata_sum', key: 'tokens' };
    const charges = [
      { metric: { type: 'calls' }, model: { type: 'graduated', tiers }, free_quantity: '1' },
      { name: 'tokens', metric: tokens, model: { type: 'per_unit', unit_price_usd: '0.0000015' } },
    ];
    await billing.newTool(builder, { slug: 'summary', price: { currency: 'usd', charges } });
    await putWatermark(billing.owner, countedThrough);
  });

  const put = (account: TestAccount, event: Partial<TestEvent> = {}) =>
    putEvent(billing.owner, { consumerId: account.accountId, tool: 'search', at: hour, ...event });

  const get = (account: TestAccount, id: string) =>
    billing.send<Answer>('GET', `/v1/events/${id}/trace`, { token: account.token });

  async function traceOf(account: TestAccount, id: string): Promise<Trace> {
    const { status, body, text } = await get(account, id);
    if (status !== 200) throw new Error(text);
    return body;
  }

  it('F96 shows the consumer the pass that paid for the call, and the builder none', async () => {
    const passId = randomUUID();
    const at = '2026-11-19T10:00:00.000Z';
    const id = await put(bob, { passId, at });
    await put(bob, { at });
    expect(await traceOf(bob, id)).toMatchObject({
      pass_id: passId,
      counted: { calls: 2 },
      rated: { charge_usd: 0.6 },
    });
    expect(await traceOf(builder, id)).toMatchObject({ pass_id: null });
  });

  describe('GET /v1/events/{event_id}/trace: what it comes to', () => {
    const summary = (at: string, tokens: number) =>
      put(bob, { tool: 'summary', at, metadata: { tokens, note: 'x' }, measures: { tokens: String(tokens) } });

    it('is taken as the last of its hour: free first, then tier by tier', async () => {
      const ids = [
        await summary(hour, 1),
        await summary('2026-11-20T11:00:00.000Z', 1),
        await summary('2026-11-20T12:00:00.000Z', 1),
        await summary('2026-11-20T13:00:00.000Z', 3),
        await summary('2026-11-20T13:30:00.000Z', 2),
      ];
      const charges = await Promise.all(ids.map(async (id) => (await traceOf(bob, id)).rated.charges));
      expect(charges.map((of) => of.map(({ charge_usd: usd }) => usd))).toEqual([
        [0, 0.000002], // 1.5 micro-dollars, to the even one
        [0.5, 0.000001], // 3 in all, less 2
        [0.5, 0.000001], // 4.5 → 4, less 3
        [0.2, 0.000004], // with the other of its hour: 12, less 7.5 → 8 without it
        [0.2, 0.000003], // 12, less 9
      ]);
      const line = { quantity: '8', charge_usd: 0.000012 };
      expect(charges[4]?.[1]).toMatchObject({ name: 'tokens', quantity: '2', unit: 'tokens', line });
    });

    it('of the only call of an hour is what usage says of that hour', async () => {
      const id = await summary('2026-11-20T15:00:00.000Z', 11);
      const query = 'tool_id=summary&from=2026-11-20T15:00:00Z&to=2026-11-20T16:00:00Z&granularity=hour';
      const { body } = await billing.send<{ usage: { charge_usd: number }[] }>('GET', `/v1/usage?${query}`, bob);
      expect((await traceOf(bob, id)).rated.charge_usd).toBe(body.usage[0]?.charge_usd);
    });

    it('is nothing for a call of one’s own tool, a failed call, and a price without charges', async () => {
      for (const [account, event, because] of [
        [builder, {}, 'own_call'],
        [bob, { success: false }, 'failed_call'],
        [bob, { tool: 'gratis' }, 'nothing_to_charge'],
      ] as const) {
        expect(await traceOf(account, await put(account, event))).toMatchObject({
          counted: { calls: 1 },
          rated: { charge_usd: 0, not_billed: because, charges: [] },
          invoice: null,
          payment: { status: 'nothing_to_pay', waits_for: null },
          earning: null,
          payout: null,
        });
      }
    });
  });

  describe('GET /v1/events/{event_id}/trace: 404', () => {
    it('says how far counting is', async () => {
      const { status, body } = await get(bob, createEventId(billing.clock.now()));
      expect([status, body.code, body.counted_through]).toEqual([404, 'event_not_found', countedThrough]);
    });

    it('never calls an event passed that is counted while it is looked for', async () => {
      const eventId = createEventId(Date.parse(hour));
      let answer: ReturnType<typeof get> | undefined;
      await billing.owner.transaction(async (tx) => {
        await tx.query('lock table usage.cursor in access exclusive mode'); // a reader of the watermark waits
        answer = get(bob, eventId);
        const waiters = "select from pg_locks where not granted and relation = 'usage.cursor'::regclass";
        await eventually(async () => (await tx.query(waiters)).length > 0, { withinMs: 1_500 });
        await put(bob, { eventId });
      });
      expect(await answer).toMatchObject({ status: 200, body: { event_id: eventId } });
    });

    it('F72 is the same for another’s event as for none', async () => {
      const ids = [await put(bob), await put(bob, { key: 'one' }), await put(builder)];
      for (const id of [
        ...ids,
        randomUUID(),
        keyedEventId('', { accountId: stranger.accountId, key: 'none' }),
        'no-id',
      ]) {
        const { status, body } = await get(stranger, id);
        const detail = `The event \`${id}\` is not counted. If it was received after counted_through, it may be soon.`;
        expect({ status, ...body }).toMatchObject({ status: 404, code: 'event_not_found', detail });
      }
      expect((await get(bob, ids[2] ?? '')).status).toBe(404); // a builder's own call, of a consumer of its tool
    });

    it('says of an event whose day is gone what can be said of it', async () => {
      const unkeyed = await put(bob, { at: '2026-11-19T10:00:00.000Z' });
      const keyed = await put(bob, { at: '2026-11-19T10:00:00.000Z', key: 'gone' });
      await billing.owner.query('drop table usage.event_20261119');
      const since = 'Events before 2026-11-20T00:00:00.000Z are not kept any more';
      expect((await get(bob, unkeyed)).body).toMatchObject({ status: 404, detail: expect.stringContaining(since) });
      const missing = await get(bob, keyed);
      expect(missing.body).toMatchObject({ status: 404, code: 'event_not_found', counted_through: expect.any(String) });
      expect(missing.body.detail).toBe(
        `The event of 2026-11-19T10:00:00.000Z was counted: usage and the invoice of 2026-11 still contain it. ${since}.`,
      );
      expect((await get(stranger, keyed)).body.detail).toMatch(/ is not counted\. If/);
    });
  });
});

describe('GET /v1/events/{event_id}/trace: one call, followed', () => {
  const billing = useBilling();
  let bob: TestAccount; // pays late

  beforeAll(async () => {
    [builder, bob, carol] = [await billing.newAccount(), await billing.newAccount(), await billing.newAccount()];
    [dave, erin, stranger] = [await billing.newAccount(), await billing.newAccount(), await billing.newAccount()];
    const { owner: database, clock } = billing;
    const processor = createSandboxProcessor({ database, clock, delayMs: 0 });
    const { closeDuePeriods, dueSteps: steps } = wireMoney({ worker: database, processor, clock });
    runDueWork = createRunDueWork({ closeDuePeriods, steps, clock, runMs: Infinity });
    await billing.newTool(builder, { slug: 'search', price: { per_call_usd: '0.6' } });
    await billing.newTool(builder, { slug: 'cheap', price: { per_call_usd: '0.00001' } });
  });
  const put = (account: TestAccount, event: Partial<TestEvent> = {}) =>
    putEvent(billing.owner, { consumerId: account.accountId, tool: 'search', at, ...event });

  async function traceOf({ token }: TestAccount, id: string): Promise<Trace> {
    const { status, body, text } = await billing.send<Trace>('GET', `/v1/events/${id}/trace`, { token });
    if (status !== 200) throw new Error(text);
    return body;
  }

  /** Everything is counted until this time, and what is due then is done. */
  async function reach(time: string): Promise<void> {
    billing.clock.set(Date.parse(time));
    await putWatermark(billing.owner, time);
    await runDueWork();
  }

  async function invoiceOf({ token }: TestAccount, period = '2026-11'): Promise<Invoice> {
    const { body } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', { token });
    const invoice = body.invoices.find((one) => one.period === period);
    if (!invoice) throw new Error('there is no invoice');
    return invoice;
  }

  const script = (body: object) => billing.send('POST', '/v1/sandbox/failures', { token: operatorToken, body });

  it('is counted, and on a draft', async () => {
    call = await put(bob, { key: 'the call', durationMs: 40 });
    await put(bob, { durationMs: 2 });
    [ofCarol, ofDave] = [await put(carol), await put(dave)];
    const whose = { tool_id: 'search', consumer_id: bob.accountId };
    const line = { quantity: '2', charge_usd: 1.2, adjustment_of: null };
    const charge = { charge: 0, name: null, quantity: '1', unit: 'calls', charge_usd: 0.6, refunded_usd: 0, line };
    const notIssued = { id: null, number: null, total_usd: null, issued_at: null, due_at: null };
    const notPaid = { paid_at: null, failure_code: null, collected_by: null, refunded_usd: null };
    expect(await traceOf(bob, call)).toEqual({
      event_id: call,
      ...whose,
      pass_id: null,
      accepted: { timestamp: at, received_at: at, success: true, duration_ms: 40 },
      counted: { ...whose, hour: '2026-11-20T10:00:00.000Z', success: true, calls: 2, duration_ms: 42, measures: {} },
      rated: { price_id: expect.any(String), charge_usd: 0.6, not_billed: null, charges: [charge] },
      invoice: { ...notIssued, period: '2026-11', status: 'draft' },
      payment: { ...notPaid, status: 'waiting', waits_for: 'period_close', next_at: '2026-12-02T00:00:00.000Z' },
      earning: null,
      payout: null,
    });
  });

  it('shows its builder what it earns, and nothing of the invoice', async () => {
    expect(await traceOf(builder, call)).toMatchObject({
      consumer_id: bob.accountId,
      rated: { charge_usd: 0.6 },
      invoice: null,
      payment: { status: 'waiting', waits_for: 'period_close' },
      earning: { status: 'expected', released_at: null, earning_usd: 0.6, fee_usd: 0 },
      payout: { status: 'waiting', waits_for: 'payment', id: null, next_at: null },
    });
  });

  it('is on an open invoice, without a payment method', async () => {
    await reach('2026-12-02T00:00:01.000Z');
    const { id, number } = await invoiceOf(bob);
    const open = { id, number, status: 'open' };
    expect(await traceOf(bob, call)).toMatchObject({
      invoice: { ...open, period: '2026-11', total_usd: 1.2, due_at: '2026-12-16T00:00:01.000Z' },
      payment: { status: 'waiting', waits_for: 'payment_method', failure_code: null, collected_by: open },
    });
    expect(await traceOf(builder, call)).toMatchObject({
      invoice: null,
      payment: { status: 'waiting', waits_for: 'payment', collected_by: null, next_at: null },
    });
  });

  it('is declined, and waits for the next attempt', async () => {
    await setUpCard(billing, bob, 'declined');
    await eventually(async () => (await traceOf(bob, call)).payment.failure_code !== null, { withinMs: 10_000 });
    expect((await traceOf(bob, call)).payment).toMatchObject({
      status: 'waiting',
      waits_for: 'retry',
      failure_code: 'declined',
      next_at: '2026-12-03T00:00:01.000Z',
    });
    expect((await traceOf(builder, call)).payment).toMatchObject({ waits_for: 'payment', failure_code: null });
  });

  it('is past due, after the last attempt', async () => {
    await reach('2026-12-17T00:00:00.000Z');
    expect(await traceOf(bob, call)).toMatchObject({
      invoice: { status: 'past_due' },
      payment: { status: 'waiting', waits_for: 'payment_method', failure_code: 'declined', next_at: null },
    });
  });

  it('is charged, and nobody knows yet what came of it', async () => {
    const { id } = await invoiceOf(bob);
    await script({ on: 'charge', failure: 'timeout_after_effect', invoice_id: id });
    await setUpCard(billing, bob, 'visa');
    await eventually(async () => (await traceOf(bob, call)).payment.waits_for === 'outcome', { withinMs: 10_000 });
  });

  it('is paid, released, and waits for a payout account', async () => {
    await reach('2026-12-18T00:00:00.000Z');
    // The first call may still be under way when the clock moves: then its own answer settles it, a moment later.
    await eventually(async () => (await invoiceOf(bob)).paid_at !== null, { withinMs: 20_000 });
    const paidAt = (await invoiceOf(bob)).paid_at;
    expect(await traceOf(bob, call)).toMatchObject({
      invoice: { status: 'paid' },
      payment: { status: 'paid', paid_at: paidAt, waits_for: null, failure_code: null, refunded_usd: 0 },
      earning: null,
      payout: null,
    });
    expect(await traceOf(builder, call)).toMatchObject({
      payment: { status: 'paid', paid_at: paidAt },
      earning: { status: 'released', released_at: paidAt, earning_usd: 0.6, fee_usd: 0 },
      payout: { status: 'waiting', id: null, waits_for: 'payout_account', next_at: '2027-01-08T00:00:00.000Z' },
    });
  });

  it('waits for the payout day once there is an account', async () => {
    await onboard(billing, builder, 'complete');
    expect((await traceOf(builder, call)).payout).toMatchObject({
      status: 'waiting',
      waits_for: 'payout_day',
      next_at: '2027-01-08T00:00:00.000Z',
    });
  });

  it('is refunded in part, and then there is too little for a payout', async () => {
    const { id } = await invoiceOf(bob);
    const body = { amount_usd: 0.3 };
    await billing.send('POST', `/v1/operator/invoices/${id}/refunds`, { token: operatorToken, body });
    await eventually(async () => (await traceOf(bob, call)).payment.refunded_usd === 0.3, { withinMs: 10_000 });
    expect((await traceOf(bob, call)).rated.charges[0]).toMatchObject({ charge_usd: 0.6, refunded_usd: 0.15 });
    expect((await traceOf(builder, call)).payout).toMatchObject({ status: 'waiting', waits_for: 'minimum' });
  });

  it('is in a payout whose transfer fails, and is tried again', async () => {
    await put(bob, { at: '2026-12-20T10:00:00.000Z' });
    ofErin = await put(erin, { tool: 'cheap', at: '2026-12-20T10:00:00.000Z' });
    await script({ on: 'transfer', failure: 'decline' });
    await reach('2027-01-02T00:00:01.000Z');
    await reach('2027-01-08T00:00:00.000Z');
    const { payout } = await traceOf(builder, call);
    expect(payout).toMatchObject({ status: 'failed', period: '2026-12', waits_for: 'retry', paid_at: null });
    expect(payout?.failure_code).toEqual(expect.any(String));
    expect(payout?.next_at).toMatch(/^2027-01-08T00/);
    const { body } = await billing.send('GET', `/v1/billing/payouts/${payout?.id}`, { token: builder.token });
    expect(body).toMatchObject({ status: 'failed', next_attempt_at: payout?.next_at });
  });

  it('is paid out', async () => {
    await reach('2027-01-08T02:00:00.000Z');
    expect((await traceOf(builder, call)).payout).toMatchObject({
      status: 'paid',
      period: '2026-12',
      paid_at: '2027-01-08T02:00:00.000Z',
      waits_for: null,
      next_at: null,
      failure_code: null,
    });
  });

  it('is carried to the next invoice below the minimum, and collected by that', async () => {
    const nextClose = { waits_for: 'next_invoice', next_at: '2027-02-02T00:00:00.000Z' };
    expect(await traceOf(erin, ofErin)).toMatchObject({
      rated: { charge_usd: 0.00001 },
      invoice: { period: '2026-12', status: 'carried', total_usd: 0 },
      payment: { status: 'waiting', collected_by: null, ...nextClose },
    });
    expect((await traceOf(builder, ofErin)).earning).toMatchObject({ status: 'expected' });
    await put(erin, { at: '2027-01-10T10:00:00.000Z' });
    await setUpCard(billing, erin, 'visa');
    await reach('2027-02-02T00:00:01.000Z');
    const { id, number } = await invoiceOf(erin, '2027-01');
    expect(await traceOf(erin, ofErin)).toMatchObject({
      invoice: { period: '2026-12', total_usd: 0 },
      payment: { status: 'paid', collected_by: { id, number, period: '2027-01', status: 'paid' } },
    });
    expect((await traceOf(builder, ofErin)).earning).toMatchObject({ status: 'released', earning_usd: 0.00001 });
  });

  it('is let off, or not to be had: its builder earns nothing', async () => {
    const { id } = await invoiceOf(carol);
    await billing.send('POST', `/v1/operator/invoices/${id}/void`, { token: operatorToken });
    await reach('2027-02-15T00:00:00.000Z');
    for (const [account, event, status] of [
      [carol, ofCarol, 'void'],
      [dave, ofDave, 'uncollectible'],
    ] as const) {
      expect(await traceOf(account, event)).toMatchObject({ invoice: { status }, payment: { status, paid_at: null } });
      expect(await traceOf(builder, event)).toMatchObject({
        payment: { status },
        earning: { status: 'written_off', earning_usd: null, fee_usd: null },
        payout: null,
      });
    }
  });

  it('is counted late for a closed month: it will be on the next invoice', async () => {
    const late = await put(stranger, { at: '2026-12-31T23:59:00.000Z' });
    expect(await traceOf(stranger, late)).toMatchObject({
      rated: { charges: [{ line: { quantity: '1', adjustment_of: '2026-12' } }] },
      invoice: { status: 'draft', period: '2027-02' },
      payment: { waits_for: 'period_close', next_at: '2027-03-02T00:00:00.000Z' },
    });
    await put(stranger, { at: '2027-02-10T00:00:00.000Z' });
    await reach('2027-03-02T00:00:01.000Z');
    expect(await traceOf(stranger, late)).toMatchObject({
      rated: { charges: [{ charge_usd: 0.6, line: { quantity: '1', adjustment_of: '2026-12' } }] },
      invoice: { status: 'open', period: '2027-02', total_usd: 1.2 },
    });
  });
});
