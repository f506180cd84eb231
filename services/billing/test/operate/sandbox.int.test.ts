import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import type { TrialBalance } from '@tollgate/contracts/operator/reports';
import { eventually } from '@tollgate/testkit/eventually';
import { onboard } from '../support/connect-builder.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import {
  type TestAccount,
  operatorToken as token,
  startBilling,
  startOfTests,
  useBilling,
} from '../support/start-billing.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { randomUUID } from 'node:crypto';

const patience = { withinMs: 25_000 };
let scripted: Consumer;
let other: Consumer;
let unpaid: Consumer;

interface Consumer extends TestAccount {
  readonly invoiceId: string;
}

function isDone({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
}
let builder: TestAccount;
let consumer: TestAccount;
let invoiceId: string;

describe('sandbox trouble', () => {
  const billing = useBilling({ hasSandboxClock: true });

  /** November ends with an unpaid invoice of 5 USD for each of three consumers, none of whom has a card. */
  beforeAll(async () => {
    const builder = await billing.newAccount();
    await onboard(billing, builder, 'complete');
    const body = { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } };
    await billing.send('POST', '/v1/tools', { ...builder, body });
    const consumers = [await billing.newAccount(), await billing.newAccount(), await billing.newAccount()];
    for (const { accountId: consumerId } of consumers)
      await putRollup(billing.owner, { consumerId, tool: 'search', hour: '2026-11-21T12:00:00Z', calls: 500 });
    await moveTo('2026-12-02T00:01:00Z');
    [scripted, other, unpaid] = (await Promise.all(consumers.map(withInvoice))) as [Consumer, Consumer, Consumer];
  }, 60_000);

  async function withInvoice(account: TestAccount): Promise<Consumer> {
    const { body } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', account);
    return { ...account, invoiceId: body.invoices[0]?.id ?? '' };
  }

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
  const invoiceOf = async ({ invoiceId, ...account }: Consumer) =>
    (await billing.send<Invoice>('GET', `/v1/billing/invoices/${invoiceId}`, account)).body;
  const becomesPaid = (consumer: Consumer) =>
    eventually(async () => (await invoiceOf(consumer)).status === 'paid', patience);

  /** In cents: what the processor moved for an invoice or a payout, and did not take back. */
  async function movedFor(subjectId: string): Promise<number[]> {
    const rows = await billing.owner.query<{ cents: number }>(
      `select amount_cents::int as cents from sandbox.movement
     where subject_id = $1 and status = 'succeeded' and (reverses_at is null or reverses_at > $2)`,
      [subjectId, await readClock()],
    );
    return rows.map(({ cents }) => cents);
  }

  const waitingWebhooks = async () =>
    billing.owner.query(
      `select event_id from sandbox.event where delivered_at is null and created_at <= $1
     union all select event_id from billing.webhook_event where applied_at is null`,
      [await readClock()],
    );

  it('a collection is declined as scripted, for its invoice alone, and tried again a day later', async () => {
    await script({ on: 'charge', failure: 'decline', invoice_id: scripted.invoiceId });
    await setUpCard(billing, other, 'visa');
    await becomesPaid(other);
    await setUpCard(billing, scripted, 'visa');
    const path = `/v1/operator/invoices/${scripted.invoiceId}/attempts`;
    const attempts = async () =>
      (await billing.send<{ attempts: { status: string }[] }>('GET', path, { token })).body.attempts;
    await eventually(async () => (await attempts()).some(({ status }) => status !== 'unknown'), patience);
    expect(await attempts()).toMatchObject([{ status: 'failed', failure_code: 'declined' }]);
    expect(await invoiceOf(scripted)).toMatchObject({ status: 'open' });
    await advance(86_400);
    expect(await invoiceOf(scripted)).toMatchObject({ status: 'paid' });
    expect(await movedFor(scripted.invoiceId)).toEqual([500]);
  });

  describe('POST /v1/sandbox/disputes', () => {
    it('F52 takes nothing where one is won, and its money where one is lost, reported by webhook', async () => {
      const { invoiceId } = other;
      const won = await dispute({ invoice_id: invoiceId, amount_usd: 4, outcome: 'won' });
      expect(won).toMatchObject({ status: 201, body: { amount_usd: 4, outcome: 'won' } });
      const lost = await dispute({ invoice_id: invoiceId, amount_usd: 1.5, outcome: 'lost' });
      expect(lost).toMatchObject({ status: 201, body: { amount_usd: 1.5, outcome: 'lost' } });
      const known = () =>
        billing.owner.query<{ dispute: string }>(
          `select status || ' ' || amount_cents as dispute from billing.dispute where invoice_id = $1 order by 1`,
          [invoiceId],
        );
      await eventually(async () => (await known()).length === 2, patience);
      expect((await known()).map((row) => row.dispute)).toEqual(['lost 150', 'won 400']);
      await eventually(async () => (await invoiceOf(other)).refunded_usd === 1.5, patience);
    });

    it('422, 409: takes no more than is left, and nothing of an unpaid invoice', async () => {
      const tooMuch = await dispute({ invoice_id: other.invoiceId, amount_usd: 3.51, outcome: 'lost' });
      const errors = [{ pointer: '/amount_usd' }];
      expect(tooMuch).toMatchObject({ status: 422, body: { code: 'refund_too_large', errors } });
      const tooEarly = await dispute({ invoice_id: unpaid.invoiceId, amount_usd: 1, outcome: 'lost' });
      expect(tooEarly).toMatchObject({ status: 409, body: { code: 'invoice_not_paid' } });
    });

    it.each([
      ['/invoice_id', { amount_usd: 1, outcome: 'lost' }],
      ['/amount_usd', { invoice_id: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b', amount_usd: 0.001, outcome: 'lost' }],
      ['/outcome', { invoice_id: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b', amount_usd: 1, outcome: 'open' }],
    ])('400: points at %s of %j', async (pointer, body) => {
      expect(await dispute(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    });
  });

  describe('POST /v1/sandbox/own-payouts', () => {
    const payOut = (body: object) => billing.send('POST', '/v1/sandbox/own-payouts', { token, body });
    const atBank = async () => {
      const { body } = await billing.send<TrialBalance>('GET', '/v1/operator/trial-balance', { token });
      return body.accounts.find(({ account }) => account === 'bank')?.debit_usd;
    };

    it('F230 pays the balance out to the platform’s bank, reported by webhook; what the bank returns is cash again', async () => {
      const paid = await payOut({ amount_usd: 2.5 });
      expect(paid).toMatchObject({ status: 201, body: { amount_usd: 2.5, outcome: 'paid' } });
      const returned = await payOut({ amount_usd: 1.25, outcome: 'returned' });
      expect(returned).toMatchObject({ status: 201, body: { amount_usd: 1.25, outcome: 'returned' } });
      await eventually(async () => (await atBank()) === 3.75, patience);
      const reconcile = async () => {
        const { body } = await billing.send<Reconciliation>('GET', '/v1/operator/reconcile?period=2026-12', { token });
        return body.steps.filter(({ name }) => ['own_payouts', 'cash_balance'].includes(name));
      };
      const sides = { left: { count: 2, sum: '3.75' }, right: { count: 2, sum: '3.75' } };
      expect(await reconcile()).toMatchObject([sides, { equal: true }]);
      await advance(3_600);
      await eventually(async () => (await atBank()) === 2.5, patience);
      expect(await reconcile()).toMatchObject([{ equal: true, left: { sum: '2.5' } }, { equal: true }]);
    });

    it('422: pays out no more than there is', async () => {
      const tooMuch = await payOut({ amount_usd: 1_500_000 });
      const errors = [{ pointer: '/amount_usd' }];
      expect(tooMuch).toMatchObject({ status: 422, body: { code: 'balance_too_small', errors } });
    });
  });

  it('F50 F53 F57 a payout is paid in the end, whatever goes wrong on the way, and once', async () => {
    const readPayout = async () => {
      const [row] = await billing.owner.query<{ id: string; status: string; cents: number; transfers: string[] }>(
        `select payout_id as id, status, net_cents::int as cents, (select array_agg(coalesce(failure_code, a.status) order by number)
         from billing.processor_attempt a where kind = 'transfer' and subject_id = payout_id) as transfers
       from billing.payout`,
      );
      return row;
    };
    const becomes = (status: string) => eventually(async () => (await readPayout())?.status === status, patience);
    for (const failure of ['insufficient_funds', 'timeout_before_effect', 'reverse_later', 'timeout_after_effect'])
      await script({ on: 'transfer', failure });
    const refused = 'insufficient_funds_of_platform';
    await moveTo('2026-12-08T00:00:00Z');
    expect(await readPayout()).toMatchObject({ status: 'scheduled', transfers: [refused] });

    await advance(86_400); // tried again, and no answer
    await advance(120); // looked up, not there, given again: it is paid
    expect(await readPayout()).toMatchObject({ status: 'paid', transfers: [refused, 'succeeded'] });

    await eventually(async () => (await waitingWebhooks()).length === 0, patience); // a late one would find what comes
    await advance(3_600); // it comes back, and a webhook tells
    await becomes('failed');
    await advance(86_400);
    await advance(120);
    await becomes('paid');
    const paid = await readPayout();
    expect(paid?.transfers).toEqual([refused, 'reversed', 'succeeded']);
    expect(await movedFor(paid?.id ?? '')).toEqual([paid?.cents]);
  }, 60_000);
});

describe('sandbox disputes', () => {
  const billing = useBilling({ hasSandboxClock: true });

  /** November's 50.00 are charged; their payout day is to come. */
  beforeAll(async () => {
    builder = await billing.newAccount();
    consumer = await billing.newAccount();
    await onboard(billing, builder, 'complete');
    await billing.send('POST', '/v1/tools', {
      ...builder,
      body: { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } },
    });
    await setUpCard(billing, consumer, 'visa');
    await useTool('2026-11', 5_000);
    await moveTo('2026-12-02T00:01:00Z');
    const paid = async () =>
      (await billing.send<InvoiceList>('GET', '/v1/billing/invoices', consumer)).body.invoices.find(
        ({ status }) => status === 'paid',
      );
    await eventually(async () => (await paid()) !== undefined, patience);
    invoiceId = (await paid())?.id ?? '';
  }, 60_000);

  async function useTool(month: string, calls: number): Promise<void> {
    const { accountId: consumerId } = consumer;
    await putRollup(billing.owner, { consumerId, tool: 'search', hour: `${month}-21T12:00:00Z`, calls });
  }

  async function moveTo(now: string): Promise<void> {
    await putWatermark(billing.owner, now);
    const moved = await billing.send('POST', '/v1/sandbox/clock', { token, body: { now, frozen: true } });
    expect([moved.status, moved.text]).toEqual([200, moved.text]);
  }

  const open = (amount_usd: number) => {
    const body = { invoice_id: invoiceId, amount_usd, fee_usd: 15, outcome: 'needs_response' };
    return billing.send<{ id: string }>('POST', '/v1/sandbox/disputes', { token, body });
  };
  const decide = (id: string, outcome: 'won' | 'lost') =>
    billing.send('POST', `/v1/sandbox/disputes/${id}/decide`, { token, body: { outcome } });

  /** The ledger's balances that a dispute moves, in dollars. */
  async function balances() {
    const { body } = await billing.send<TrialBalance>('GET', '/v1/operator/trial-balance', { token });
    const of = (kind: string) => {
      const { debit_usd = 0, credit_usd = 0 } = body.accounts.find(({ account }) => account === kind) ?? {};
      return debit_usd - credit_usd;
    };
    return { cash: of('cash'), disputed: of('disputed'), fees: of('processor_fees') };
  }
  const become = (expected: Awaited<ReturnType<typeof balances>>) =>
    eventually(async () => JSON.stringify(await balances()) === JSON.stringify(expected), patience);

  const transfers = async () => {
    const text = `select amount_cents::int as cents from sandbox.movement where kind = 'transfer' order by created_at`;
    return (await billing.owner.query<{ cents: number }>(text)).map(({ cents }) => cents);
  };

  async function expectReconciled(): Promise<void> {
    const path = '/v1/operator/reconcile?period=2026-11';
    const { body } = await billing.send<Reconciliation>('GET', path, { token });
    const ofMoney = body.steps.filter(({ name }) =>
      ['lines_ledger', 'ledger_processor', 'cash_balance'].includes(name),
    );
    expect(ofMoney.flatMap(({ rows }) => rows)).toEqual([]);
    expect((await checkLedger(billing.owner)).differences).toEqual([]);
  }

  it('F232 a dispute that is held open at the sandbox takes money and fee at once, and keeps its builder’s share until it is decided', async () => {
    expect(await balances()).toEqual({ cash: 48.25, disputed: 0, fees: 1.75 });
    const [toWin, toLose] = [await open(20), await open(5)];
    expect(toWin).toMatchObject({ status: 201, body: { amount_usd: 20, fee_usd: 15, outcome: 'needs_response' } });
    expect(toLose).toMatchObject({ status: 201, body: { amount_usd: 5, invoice_id: invoiceId } });
    await become({ cash: -6.75, disputed: 25, fees: 31.75 });
    await expectReconciled();
    expect(await open(25.01)).toMatchObject({ status: 422, body: { code: 'refund_too_large' } });

    await moveTo('2026-12-08T00:00:00Z');
    expect(await transfers()).toEqual([2_500]);
    await expectReconciled();

    const won = await decide(toWin.body.id, 'won');
    expect(won).toMatchObject({ status: 200, body: { outcome: 'won', fee_usd: 15, invoice_id: invoiceId } });
    expect(await decide(toLose.body.id, 'lost')).toMatchObject({ status: 200, body: { outcome: 'lost' } });
    await become({ cash: -11.75, disputed: 0, fees: 31.75 });
    await expectReconciled();

    await useTool('2026-12', 1_000);
    await moveTo('2027-01-02T00:01:00Z');
    await moveTo('2027-01-08T00:00:00Z');
    expect(await transfers()).toEqual([2_500, 3_000]); // 20.00 of the dispute that was won, and December's 10.00
    await expectReconciled();
  }, 120_000);

  it('404, 409: decides no dispute that there is not, and none twice', async () => {
    expect(await decide('dp_none', 'won')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const { body } = await open(1);
    expect(await decide(body.id, 'won')).toMatchObject({ status: 200 });
    expect(await decide(body.id, 'won')).toMatchObject({ status: 200, body: { outcome: 'won' } });
    expect(await decide(body.id, 'lost')).toMatchObject({ status: 409, body: { code: 'dispute_decided' } });
  });
});

describe('script failure', () => {
  const path = '/v1/sandbox/failures';
  const billing = useBilling();
  beforeEach(() => clear());

  const script = (body: object) => billing.send('POST', path, { token, body });
  const list = () => billing.send('GET', path, { token });
  const clear = () => billing.send('DELETE', path, { token });

  describe('POST /v1/sandbox/clock: 201', () => {
    it('scripts one failure for any order, or several for one invoice or payout', async () => {
      const [invoice, payout] = [randomUUID(), randomUUID()];
      const declined = await script({ on: 'charge', failure: 'decline' });
      expect(declined).toMatchObject({
        status: 201,
        body: {
          on: 'charge',
          failure: 'decline',
          times: 1,
          invoice_id: null,
          payout_id: null,
          created_at: startOfTests,
        },
      });
      const refund = await script({ on: 'refund', failure: 'delay', times: 3, invoice_id: invoice, payout_id: null });
      expect(refund).toMatchObject({ status: 201, body: { times: 3, invoice_id: invoice, payout_id: null } });
      const transfer = await script({ on: 'transfer', failure: 'reverse_later', payout_id: payout });
      expect(transfer).toMatchObject({ status: 201, body: { invoice_id: null, payout_id: payout } });
      expect((await list()).body).toEqual({ failures: [declined.body, refund.body, transfer.body], total: 3 });
    });
  });

  describe('POST /v1/sandbox/clock: 400', () => {
    it.each([
      ['/on', { failure: 'decline' }],
      ['/failure', { on: 'charge', failure: 'earthquake' }],
      ['/failure', { on: 'charge', failure: 'insufficient_funds' }],
      ['/failure', { on: 'refund', failure: 'reverse_later' }],
      ['/times', { on: 'charge', failure: 'decline', times: 0 }],
      ['/times', { on: 'charge', failure: 'decline', times: 1_001 }],
      ['/invoice_id', { on: 'charge', failure: 'decline', invoice_id: 'mine' }],
      ['/invoice_id', { on: 'transfer', failure: 'decline', invoice_id: randomUUID() }],
      ['/payout_id', { on: 'charge', failure: 'decline', payout_id: randomUUID() }],
    ])('points at %s of %j', async (pointer, body) => {
      expect(await script(body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ pointer }] },
      });
      expect((await list()).body).toEqual({ failures: [], total: 0 });
    });
  });

  describe('DELETE /v1/sandbox/clock: 204', () => {
    it('removes every scripted failure, also when there is none', async () => {
      await script({ on: 'charge', failure: 'decline', times: 5 });
      expect((await clear()).status).toBe(204);
      expect((await list()).body).toEqual({ failures: [], total: 0 });
      expect((await clear()).status).toBe(204);
    });
  });
});

describe('GET and POST /v1/sandbox/clock', () => {
  const path = '/v1/sandbox/clock';
  const billing = useBilling({ hasSandboxClock: true });
  // Nobody counts in these tests. That the watermark is waited for, the end-to-end test of the operator shows.
  beforeAll(() => putWatermark(billing.owner, '3000-01-01'));

  const read = async () => (await billing.send('GET', path, { token })).body;
  const move = (body: object) => billing.send('POST', path, { token, body });

  it("begin with the machine's time, set a time or advance it, and freeze the clock or let it tick", async () => {
    expect(await read()).toEqual({ now: startOfTests, frozen: false, worked_through: null });
    const december = { now: '2026-12-01T00:00:00.000Z', frozen: true, worked_through: '2026-12-01T00:00:00.000Z' };
    expect((await move({ now: '2026-12-01T01:00:00+01:00', frozen: true })).body).toEqual(december);
    const later = { now: '2026-12-01T00:01:30.000Z', frozen: true, worked_through: '2026-12-01T00:01:30.000Z' };
    expect((await move({ advance_seconds: 90, frozen: true })).body).toEqual(later);
    expect((await move({ advance_seconds: null, now: null, frozen: true })).body).toEqual(later);
    expect((await move({})).body).toMatchObject({ frozen: false });
    expect(await read()).toMatchObject({ now: expect.stringMatching(/^2026-12-01T00:01:3/) });
  });

  it.each([
    ['/now', { now: 'tomorrow' }],
    ['/by', { advance_seconds: 0, by: 3 }],
    ['/now', { now: '3000-01-01T00:00:00Z' }],
    ['/advance_seconds', { advance_seconds: -1 }],
    ['/advance_seconds', { advance_seconds: 0.5 }],
    ['/advance_seconds', { advance_seconds: 1, now: '2027-01-01T00:00:00Z' }],
    ['/frozen', { frozen: 'no' }],
  ])('400: points at %s of %j', async (pointer, body) => {
    expect(await move(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });

  it('404: is not there where the clock cannot be moved', async () => {
    const other = await startBilling();
    expect(await other.send('GET', path, { token })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await other.send('POST', path, { token, body: {} })).toMatchObject({ status: 404 });
    await other.stop();
  });
});
