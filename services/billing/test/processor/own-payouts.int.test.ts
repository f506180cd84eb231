import { describe, expect, it } from '@jest/globals';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { sumFees } from '../../src/audit/sql-sum-ledger.ts';
import { createFollowOwnPayout } from '../../src/processor/follow-own-payout.ts';
import type { OwnPayout } from '../../src/processor/processor.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { silentLog as log } from '../support/silent-log.ts';
import type { StripeMoneyFixture } from '../support/stripe-money-fixture.ts';
import { collectionDay, nothingDiffers, useStripeMoney } from '../support/use-stripe-money.ts';

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

let current = '';

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

function follow(database: StripeMoneyFixture['worker']): Promise<void> {
  return createFollowOwnPayout({ database, clock: fixture.clock, log, processor: fixture.processor() })(current);
}
