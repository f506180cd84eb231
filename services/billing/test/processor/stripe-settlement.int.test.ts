import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { createCheckProcessorSetup } from '../../src/processor/check-processor-setup.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { createStripeMoneyFixture, type StripeMoneyFixture } from '../support/stripe-money-fixture.ts';

let fixture: StripeMoneyFixture;

beforeEach(async () => {
  fixture = await createStripeMoneyFixture();
});
afterEach(() => fixture.drop());

/** As on Stripe's page `currencies/conversions`: the platform's bank account is in euros, so charges settle in them. */
describe('F220 a platform that settles in euros', () => {
  beforeEach(async () => {
    fixture.double.state.platform.settlement = { currency: 'eur', rate: 0.92 };
    await fixture.connect();
    await fixture.useTool('2026-01', 3_000);
    await fixture.reach('2026-02-02T00:00:01.000Z');
  });

  it('collects invoices, and books the fee in dollars at the rate of the charge', async () => {
    expect(await fixture.standing()).toMatchObject({ invoice: 'paid', attempts: 'charge succeeded' });
    expect([...fixture.double.state.balanceTransactions.values()].at(-1)).toMatchObject({
      currency: 'eur',
      amount: 2_760, // it comes from 30.00 USD
      fee: 108, // it comes from 1.17 USD: 107.64
    });
    const fees = `select fee_cents::int from billing.processor_attempt where kind = 'charge'`;
    expect(await fixture.owner.query(fees)).toEqual([{ fee_cents: 117 }]); // 1.08 EUR are 1.1739 USD
    expect((await fixture.differences()).ledger).toEqual([]);
  });

  it('books a dispute in dollars, whatever the processor withdrew', async () => {
    const { banks, state, webhooks } = fixture.double;
    const [paymentId = ''] = state.paymentIntents.keys();
    banks.decideDispute(banks.dispute(paymentId, { amount: 700 }), 'lost');
    await fixture.deliver(webhooks.events);
    const text = 'select amount_cents::int, taken_cents::int, fee_cents::int from billing.dispute';
    expect(await fixture.owner.query(text)).toEqual([{ amount_cents: 700, taken_cents: 700, fee_cents: 1_500 }]);
    expect((await fixture.differences()).ledger).toEqual([]);
  });

  it('is warned that cash cannot be compared, and that builders need dollars', async () => {
    expect(await fixture.reconcile('2026-01')).toEqual([]);
    expect(await fixture.processor().findSetupProblems()).toEqual([
      { code: 'other_currency', message: expect.stringMatching('Add a bank account in US dollars') },
    ]);
  });
});

/**
 * The tests follow Stripe's pages `api/balance-settings/object` and `payouts/minimum-balances-for-automatic-payouts`.
 */
describe('F221 the payouts of the platform’s own account', () => {
  const { log, heard } = hearingLog();
  const look = async () => {
    const metrics = createMetrics({ service: 'billing' });
    const check = createCheckProcessorSetup({ processor: fixture.processor(), log, metrics });
    await check.start();
    await check.runNow();
    await check.stop();
    return metrics.registry.getSingleMetricAsString('tollgate_billing_processor_setup_problems');
  };

  it('are a warning at the start while they are automatic, and empty what builders are paid from', async () => {
    fixture.double.state.platform.payoutInterval = 'daily';
    expect(await look()).toMatch(/ 1$/m);
    const warnings = heard('Set the payouts to manual');
    expect(warnings[0]).toMatchObject({ level: 'warn', problem: 'automatic_payouts' });
  });

  it.each([
    ['manual', null],
    ['daily', { usd: 500_000 }],
  ] as const)('are fine if they are %s with a minimum balance of %s', async (interval, minimum) => {
    Object.assign(fixture.double.state.platform, { payoutInterval: interval, minimumBalance: minimum });
    expect(await look()).toMatch(/ 0$/m);
  });

  it('hold up no start while Stripe is away', async () => {
    fixture.double.faults.script({ at: 'GET /v1/balance_settings', what: 'hang', effect: 'not_done' });
    const check = createCheckProcessorSetup({ processor: fixture.processor(), log });
    await check.start();
    await eventually(() => fixture.double.calls.some(({ path }) => path === '/v1/balance_settings'), {
      withinMs: 5_000,
    });
    await check.stop();
  });
});
