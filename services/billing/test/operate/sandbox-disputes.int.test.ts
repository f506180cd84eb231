import { beforeAll, expect, it } from '@jest/globals';
import type { InvoiceList } from '@tollgate/contracts/money/invoices';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import type { TrialBalance } from '@tollgate/contracts/operator/reports';
import { eventually } from '@tollgate/testkit/eventually';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { onboard } from '../support/connect-builder.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken as token, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling({ hasSandboxClock: true });
const patience = { withinMs: 25_000 };
let builder: TestAccount;
let consumer: TestAccount;
let invoiceId: string;

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
  const ofMoney = body.steps.filter(({ name }) => ['lines_ledger', 'ledger_processor', 'cash_balance'].includes(name));
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
