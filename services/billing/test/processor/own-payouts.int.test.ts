import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useEach, useOnce } from '@tollgate/testkit/use-world';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { sumFees } from '../../src/audit/sql-sum-ledger.ts';
import { createFollowOwnPayout } from '../../src/processor/follow-own-payout.ts';
import type { OwnPayout } from '../../src/processor/processor.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { type StripeMoneyFixture, createStripeMoneyFixture } from '../support/stripe-money-fixture.ts';
import { collectionDay, nothingDiffers, useStripeMoney } from '../support/use-stripe-money.ts';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { createCheckProcessorSetup } from '../../src/processor/check-processor-setup.ts';
import { hearingLog } from '../support/hearing-log.ts';
import type { StripeState } from '@tollgate/testkit/stripe-double/stripe-state';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { type PlantedRow, balancesSql, deletePostingSql, plant, postSql } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';

let current = '';
let id: string;

function change(state: StripeState, payoutId: string, facts: object): void {
  const payout = state.payouts.get(payoutId);
  if (payout) state.payouts.set(payoutId, { ...payout, ...facts });
}

describe('own payouts', () => {
  /** January's 30.00 are charged; nothing is paid out yet. */
  const fixture = useStripeMoney({ calls: 3_000, reached: [collectionDay] });

  const banks = () => fixture.double.banks;

  const deliver = () => fixture.deliver(fixture.double.webhooks.events);

  /** The balances of the ledger that a payout moves, in dollars. */
  async function balances(): Promise<Record<string, string>> {
    const rows = await fixture.owner.query<{ kind: string; micros: string }>(
      `select kind, balance_micros::text as micros from billing.ledger_account
     where kind in ('bank', 'cash', 'processor_fees') and balance_micros <> 0 order by kind`,
    );
    return Object.fromEntries(rows.map((row) => [row.kind, formatUsd(micros(BigInt(row.micros)))]));
  }

  function follow(database: StripeMoneyFixture['worker']): Promise<void> {
    return createFollowOwnPayout({ database, clock: fixture.clock, log, processor: fixture.processor() })(current);
  }

  describe('F230 a payout of the platform’s own balance', () => {
    it('goes from cash to the bank, once, however often a webhook tells of it', async () => {
      expect(await balances()).toEqual({ cash: '28.83', processor_fees: '1.17' });
      banks().payOut(1_000);
      await deliver();
      await deliver();
      expect(await balances()).toEqual({ bank: '10', cash: '18.83', processor_fees: '1.17' });
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-02')).toEqual([]);
    });

    it.each(['failed', 'canceled'] as const)('that %s comes back from the bank to cash', async (how) => {
      const id = banks().payOut(1_000);
      await deliver();
      banks().returnPayout(id, how);
      await deliver();
      expect(await balances()).toEqual({ cash: '28.83', processor_fees: '1.17' });
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-02')).toEqual([]);
    });

    it('that had come back before anybody knew of it moves nothing', async () => {
      banks().returnPayout(banks().payOut(1_000));
      await deliver();
      expect(await balances()).toEqual({ cash: '28.83', processor_fees: '1.17' });
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-02')).toEqual([]);
    });

    it('is found by the daily sweep if its webhook, or that of its return, was lost, whenever it was', async () => {
      fixture.clock.set(fixture.clock.now() + 1_000);
      const id = banks().payOut(1_000);
      await fixture.reach('2026-06-02T00:00:02.000Z'); // months later: no window of the sweep holds it
      expect(await balances()).toMatchObject({ bank: '10' });
      banks().returnPayout(id);
      await fixture.reach('2026-06-03T00:00:03.000Z');
      expect(await balances()).not.toHaveProperty('bank');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('is read again where an old reading would undo a new one', async () => {
      const id = banks().payOut(1_000);
      const { name, ownPayouts } = fixture.processor();
      const old = await ownPayouts.read(id);
      await deliver();
      banks().returnPayout(id);
      await deliver();
      const readings: OwnPayout[] = [old];
      const late = { ...ownPayouts, read: async () => readings.shift() ?? ownPayouts.read(id) };
      const { worker: database, clock } = fixture;
      await createFollowOwnPayout({ database, clock, log, processor: { name, ownPayouts: late } })(id);
      expect(await balances()).not.toHaveProperty('bank');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('has its fee among the processor’s fees, and not among those of charges', async () => {
      banks().payOut(1_000, { feeCents: 15 });
      await deliver();
      expect(await balances()).toEqual({ bank: '10', cash: '18.68', processor_fees: '1.32' });
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-02')).toEqual([]);
      const fees = await sumFees(fixture.worker, { from: undefined, to: undefined });
      expect(fees.find(({ of }) => of === 'charge_fees')).toMatchObject({ amountMicros: 1_170_000n });
    });

    it('below zero goes from the bank to cash', async () => {
      banks().payOut(-500);
      await deliver();
      expect(await balances()).toEqual({ bank: '-5', cash: '33.83', processor_fees: '1.17' });
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-02')).toEqual([]);
    });

    it('in another currency is not booked, and reconcile says so', async () => {
      const { state } = fixture.double;
      const { balanceCents } = state;
      const payout = state.payouts.get(banks().payOut(1_000));
      if (payout) state.payouts.set(payout.id, { ...payout, currency: 'eur' });
      state.balanceCents = balanceCents;
      await deliver();
      await fixture.reach('2026-02-03T00:00:02.000Z');
      expect(await balances()).not.toHaveProperty('bank');
      const reconcile = createReconcile({ database: fixture.worker, processor: fixture.processor() });
      const { steps } = await reconcile({ period: '2026-02', accountId: undefined });
      expect(steps.find(({ name }) => name === 'own_payouts')).toMatchObject({
        differing: 0,
        note: '1 payouts to the platform’s bank in eur are not booked: the books are in US dollars.',
      });
    });
  });

  describeCrashes('F230 booking a payout of the platform', {
    worker: () => fixture.worker,
    async startAnew() {
      current = banks().payOut(10);
    },
    run: (database = fixture.worker) => follow(database),
    goOn: () => follow(fixture.worker),
    books: () =>
      fixture.owner.query(
        `select taken_cents::text, postings, (select count(*)::int from billing.ledger_transaction
         where business_key = 'own-payout:' || own_payout_id || ':1') as posted
       from billing.own_payout where object_id = $1`,
        [current],
      ),
    statementsMin: 4,
    commitsMin: 1,
  });
});

describe('stripe settlement', () => {
  const fixture = useEach(() => createStripeMoneyFixture());

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
});

describe('F231 reconcile and the ledger check name', () => {
  const fixture = useOnce(() => createStripeMoneyFixture());

  /** The platform's 10.00 are on their way to its bank, and booked. */
  beforeAll(async () => {
    fixture.clock.set(Date.parse('2026-02-02T00:00:01.000Z'));
    id = fixture.double.banks.payOut(1_000);
    await fixture.deliver(fixture.double.webhooks.events);
  }, 30_000);

  /** Returns what reconcile says of a change at Stripe that no webhook reports. Afterwards Stripe is as before. */
  async function afterChange(plant: (state: StripeState) => void): Promise<readonly string[]> {
    const { state } = fixture.double;
    const [payouts, transactions, { balanceCents }] = [
      [...state.payouts],
      [...state.balanceTransactions],
      { ...state },
    ];
    plant(state);
    const found = await fixture.reconcile('2026-02');
    state.payouts.clear();
    for (const [payoutId, payout] of payouts) state.payouts.set(payoutId, payout);
    state.balanceTransactions.clear();
    for (const [transactionId, transaction] of transactions) state.balanceTransactions.set(transactionId, transaction);
    state.balanceCents = balanceCents;
    return found;
  }

  it.each<[string, (state: StripeState) => void, RegExp]>([
    [
      'a payout that is not booked',
      () => void fixture.double.banks.payOut(700),
      /^payout po_.* of 7 USD .*: it is not booked/,
    ],
    [
      'its absence there',
      (state) => state.payouts.clear(),
      /^payout po_.* of 10 USD to the platform’s bank: the processor has none/,
    ],
    [
      'another amount',
      (state) => change(state, id, { amount: 900 }),
      /it is of 10 USD with us, 9 USD at the processor/,
    ],
    ['another currency', (state) => change(state, id, { currency: 'eur' }), /its currency is usd with us, eur at/],
    ['another date', (state) => change(state, id, { created: 1_770_000_000 }), /it was made at .* with us, .* at/],
    [
      'a return that is not booked',
      () => fixture.double.banks.returnPayout(id),
      /it took 10 USD with us, 0 USD at the processor/,
    ],
    [
      'another fee',
      ({ balanceTransactions: all }) =>
        [...all.values()].filter(({ type }) => type === 'payout').forEach((one) => all.set(one.id, { ...one, fee: 3 })),
      /its fee is 0 USD with us, 0\.03 USD at the processor/,
    ],
  ])('a payout at Stripe: %s', async (_what, plant, row) => {
    expect(await afterChange(plant)).toContainEqual(expect.stringMatching(row));
    expect(await fixture.reconcile('2026-02')).toEqual([]);
  });

  it.each<PlantedRow>([
    ['an amount', 'update billing.own_payout set amount_cents = 900', /payout po_.* of 900 cents: taken 1000/],
    ['what was taken', 'update billing.own_payout set taken_cents = 0', /taken 0 with a fee of 0, ledger 10000000/],
    ['a fee', 'update billing.own_payout set fee_cents = 5', /with a fee of 5, ledger 10000000 and 0/],
    plant('a removed posting', /own_payouts: payout .*: the ledger posted 0 USD at the bank/)`
    ${deletePostingSql('own-payout:%')}`,
    plant(
      'a posting that was doubled',
      /own_payouts: payout .*: the ledger posted 20 USD at the bank and a fee of 0 USD/,
    )`
    update billing.ledger_entry e set amount_micros = amount_micros * 2 from billing.ledger_transaction t
       where t.transaction_id = e.transaction_id and business_key like 'own-payout:%'; ${balancesSql}`,
    plant('a posting too many', /every posting belongs to a document: own-payout:/)`
    ${postSql(`'own-payout:' || (select own_payout_id from billing.own_payout) || ':2'`, { from: 'cash', to: 'bank', micros: 5 })}`,
    plant('a posting in other accounts', /every posting uses only the accounts of its kind: own-payout:/)`
    ${postSql(`'own-payout:' || (select own_payout_id from billing.own_payout) || ':2'`, { from: 'cash', to: 'platform_fees', micros: 5 })}`,
    ['a removed payout', 'delete from billing.own_payout', /own_payouts: payout po_.*: it is not booked/],
    ['a date', `update billing.own_payout set made_at = made_at - interval '1 hour'`, /it was made at/],
  ])('with us: %s', async (...[, sql, found]) => {
    const rows = await planted(fixture.owner, sql, async (database) => {
      const reconcile = createReconcile({ database, processor: fixture.processor() });
      const { steps } = await reconcile({ period: '2026-02', accountId: undefined });
      const { differences } = await checkLedger(database);
      return [
        ...steps.flatMap(({ name, rows: differing }) => differing.map((row) => `${name}: ${row}`)),
        ...differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`)),
      ];
    });
    expect(rows).toContainEqual(expect.stringMatching(found));
  });
});
