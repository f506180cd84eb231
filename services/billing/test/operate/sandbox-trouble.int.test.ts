import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import type { TrialBalance } from '@tollgate/contracts/operator/reports';
import { eventually } from '@tollgate/testkit/eventually';
import { onboard } from '../support/connect-builder.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken as token, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling({ hasSandboxClock: true });
const patience = { withinMs: 25_000 };
let scripted: Consumer;
let other: Consumer;
let unpaid: Consumer;

interface Consumer extends TestAccount {
  readonly invoiceId: string;
}

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

function isDone({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
}

/** In cents: what the processor moved for an invoice or a payout, and did not take back. */
async function movedFor(subjectId: string): Promise<number[]> {
  const rows = await billing.owner.query<{ cents: number }>(
    `select amount_cents::int as cents from sandbox.movement
     where subject_id = $1 and status = 'succeeded' and (reverses_at is null or reverses_at > $2)`,
    [subjectId, await readClock()],
  );
  return rows.map(({ cents }) => cents);
}

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

const waitingWebhooks = async () =>
  billing.owner.query(
    `select event_id from sandbox.event where delivered_at is null and created_at <= $1
     union all select event_id from billing.webhook_event where applied_at is null`,
    [await readClock()],
  );
