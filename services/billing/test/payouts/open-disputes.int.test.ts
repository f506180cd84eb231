import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { createFollowDispute } from '../../src/refunds/follow-dispute.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { createStripeMoneyFixture, type StripeMoneyFixture } from '../support/stripe-money-fixture.ts';

let fixture: StripeMoneyFixture;

/** January's 30.00 are charged, and their payout day is to come. */
beforeEach(async () => {
  fixture = await createStripeMoneyFixture();
  await fixture.connect();
  await fixture.useTool('2026-01', 3_000);
  await fixture.reach('2026-02-02T00:00:01.000Z');
}, 30_000);

afterEach(() => fixture.drop());

function dispute(how: { amount?: number; isInquiry?: boolean }): string {
  const charge = [...fixture.double.state.paymentIntents.values()].find(({ status }) => status === 'succeeded');
  return fixture.double.banks.dispute(charge?.id ?? '', how);
}

const deliver = () => fixture.deliver(fixture.double.webhooks.events);
const transferred = () => [...fixture.double.state.transfers.values()].map(({ amount }) => amount);
const nothingDiffers = { cashMicros: 0n, ledger: [] };

describe('F149 a dispute that is open on payout day', () => {
  it.each([{ amount: 700 }, { amount: 700, isInquiry: true }])('keeps its share: %j', async (how) => {
    dispute(how);
    await deliver();
    await deliver();
    await fixture.reach('2026-02-08T00:00:01.000Z');
    expect(transferred()).toEqual([2_300]);
    const holds = 'select earning_micros::text as micros from billing.dispute_hold';
    expect(await fixture.owner.query(holds)).toEqual([{ micros: '7000000' }]);
  });

  it('pays the share with the next payout if it is won', async () => {
    const id = dispute({ amount: 700 });
    await deliver();
    await fixture.reach('2026-02-08T00:00:01.000Z');
    fixture.double.banks.decideDispute(id, 'won');
    await deliver();
    await fixture.useTool('2026-02', 200);
    await fixture.reach('2026-03-08T00:00:01.000Z');
    expect(transferred()).toEqual([2_300, 900]);
    expect(await fixture.differences()).toEqual(nothingDiffers);
  });

  it('takes the share if it is lost, and the builder owes nothing', async () => {
    const id = dispute({ amount: 700 });
    await deliver();
    await fixture.reach('2026-02-08T00:00:01.000Z');
    fixture.double.banks.decideDispute(id, 'lost');
    await deliver();
    await fixture.useTool('2026-02', 200);
    await fixture.reach('2026-03-08T00:00:01.000Z');
    expect(transferred()).toEqual([2_300, 200]);
    expect(await fixture.differences()).toEqual(nothingDiffers);
  });

  it('that takes all of it schedules no payout until it is decided', async () => {
    const id = dispute({ amount: 3_000 });
    await deliver();
    await fixture.reach('2026-02-08T00:00:01.000Z');
    expect(transferred()).toEqual([]);
    fixture.double.banks.decideDispute(id, 'won');
    await deliver();
    await fixture.useTool('2026-02', 200);
    await fixture.reach('2026-03-08T00:00:01.000Z');
    expect(transferred()).toEqual([3_200]);
    expect(await fixture.differences()).toEqual(nothingDiffers);
  });
});

describeCrashes('following a dispute', {
  worker: () => fixture.worker,
  async startAnew() {
    current = dispute({ amount: 10 });
  },
  run: follow,
  goOn: () => follow(),
  books: () =>
    fixture.owner.query(
      `select d.status, h.earning_micros::text, d.taken_cents::text, d.fee_cents::text,
         (select count(*)::int from billing.ledger_transaction where business_key = 'dispute-fee:' || d.dispute_id || ':1') as fees
       from billing.dispute d join billing.dispute_hold h using (dispute_id) where d.processor_dispute_id = $1`,
      [current],
    ),
  statementsMin: 8,
  commitsMin: 1,
});

let current = '';

function follow(database: Database = fixture.worker): Promise<void> {
  return createFollowDispute({ database, clock: fixture.clock, log, processor: fixture.processor() })(current);
}
