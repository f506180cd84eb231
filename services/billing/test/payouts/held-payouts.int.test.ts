import { dayMs } from '@tollgate/kernel/durations';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';

const bob = '10000000-0000-4000-8000-000000000001';
let fixture: PayoutsFixture;

/** Ada's first earning is collected on 2 February. */
beforeEach(async () => {
  fixture = await createPayoutsFixture();
  await fixture.addBuilder('a');
  fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 14 * dayMs, reservePercent: 10 });
});

afterEach(() => fixture.drop()); // which checks the ledger

async function month(period: string, calls: number): Promise<void> {
  await fixture.earn({ period, letter: 'a', consumerId: bob, calls });
  await fixture.reachPayoutDay(period);
}

const nets = async () => (await fixture.payouts()).map(({ period, net_cents: cents }) => `${period} ${cents}`);
const heldCents = async () => {
  const rows = await fixture.owner.query<{ held: string }>(
    'select held_cents::text as held from billing.payout order by period',
  );
  return rows.map(({ held }) => Number(held));
};

describe('F148 a young builder', () => {
  it('is paid nothing before the delay, then all but the reserve, and the reserve once it is not young', async () => {
    await month('2026-01', 500);
    expect(await nets()).toEqual([]); // 6 days after its first earning
    await month('2026-02', 300);
    expect(await nets()).toEqual(['2026-02 720']); // 34 days after it: 10 % of 8.00 stays
    await month('2026-03', 200);
    expect(await nets()).toEqual(['2026-02 720', '2026-03 180']); // 10 % of 10.00 stays
    expect(await heldCents()).toEqual([80, 100]);
    await month('2026-04', 150);
    expect(await nets()).toEqual(['2026-02 720', '2026-03 180', '2026-04 250']); // 95 days after it
    expect(await heldCents()).toEqual([80, 100, 0]);
  });

  it('pays refunds from the reserve, and owes nothing', async () => {
    await month('2026-01', 500);
    await month('2026-02', 500);
    await fixture.refund({ consumerId: bob, period: '2026-02', cents: 100n });
    expect(await nets()).toEqual(['2026-02 900']);
    await month('2026-05', 100); // the payout days of March and April come with it
    expect(await nets()).toEqual(['2026-02 900', '2026-05 100']);
  });

  it('gets a payout that failed as it was, with the same reserve', async () => {
    await month('2026-01', 500);
    await fixture.failures.add({ on: 'transfer', failure: 'decline', times: 1, subjectId: undefined });
    await month('2026-02', 500);
    fixture.clock.advance(dayMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '900', schedules: 2 }]);
    expect(await heldCents()).toEqual([100]);
  });

  it('gets the rest of a payout that failed before a reserve was asked for', async () => {
    fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 0, reservePercent: 0 });
    await fixture.failures.add({ on: 'transfer', failure: 'decline', times: 1, subjectId: undefined });
    await month('2026-01', 500);
    fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 0, reservePercent: 10 });
    fixture.clock.advance(dayMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '450', schedules: 2 }]);
    expect(await heldCents()).toEqual([50]);
  });
});
