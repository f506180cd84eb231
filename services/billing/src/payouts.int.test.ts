import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { createPayoutsFixture, type PayoutsFixture } from './testing/payouts-fixture.ts';

let fixture: PayoutsFixture;
let ada: string;
const bob = '10000000-0000-4000-8000-000000000001';
const carol = '10000000-0000-4000-8000-000000000002';
const hourMs = 3_600_000;

beforeEach(async () => {
  fixture = await createPayoutsFixture();
  ada = await fixture.addBuilder('a');
});

afterEach(() => fixture.drop());

const earn = (period: string, calls: number, options: { isPaid?: boolean; consumerId?: string } = {}) =>
  fixture.earn({ period, letter: 'a', consumerId: bob, calls, ...options });

async function scriptFailure(failure: string, times = 1): Promise<void> {
  await fixture.owner.query(`insert into sandbox.failure values (gen_random_uuid(), 'transfer', $1, null, $2, $3)`, [
    failure,
    times,
    toIso(fixture.clock.now()),
  ]);
}

describe('a payout day', () => {
  it('pays what was collected, less the fee, a week after the month’s end', async () => {
    await earn('2026-01', 150_000); // 1,500 USD: 4 % of 500 is 20
    await fixture.runDue();
    expect(await fixture.payouts()).toEqual([]); // 2 February: not yet
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toMatchObject([
      { period: '2026-01', status: 'paid', net_cents: '148000', fee_cents: '2000' },
    ]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 148_000n }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
    expect(await fixture.balance('in_transit', ada)).toBe('0');
    expect(await fixture.balance('cash')).toBe('20000000'); // the fee is left
  });

  it('leaves what is not collected yet to the next one', async () => {
    await earn('2026-01', 1_000);
    await earn('2026-02', 2_000, { isPaid: false });
    await fixture.reachPayoutDay('2026-02');
    await fixture.pay(bob, '2026-02');
    await fixture.close('2026-03');
    await fixture.reachPayoutDay('2026-03');
    expect(await fixture.payouts()).toMatchObject([
      { period: '2026-01', net_cents: '1000' },
      { period: '2026-03', net_cents: '2000' },
    ]);
  });

  it('pays nothing below a dollar; the money joins the next payout', async () => {
    await earn('2026-01', 99);
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toEqual([]);
    await earn('2026-02', 51);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ period: '2026-02', status: 'paid', net_cents: '150' }]);
  });

  it('pays who has no account nothing, and all of it once there is one', async () => {
    const dora = await fixture.addBuilder('d', { isConnected: false });
    await fixture.earn({ period: '2026-01', letter: 'd', consumerId: carol, calls: 500 });
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toEqual([]);
    expect(await fixture.balance('builder_payable', dora)).toBe('-5000000');
  });
});

describe('F53 our balance at the processor is too small', () => {
  it('keeps the payout scheduled and tries again until it is not', async () => {
    await earn('2026-01', 1_000);
    await scriptFailure('insufficient_funds', 2);
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toMatchObject([{ status: 'scheduled', schedules: 1, failures: 1 }]);
    expect(await fixture.balance('in_transit', ada)).toBe('-10000000');
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'scheduled', failures: 2 }]);
    fixture.clock.advance(2 * hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', schedules: 1, failures: 0 }]);
    expect(await fixture.transfers()).toHaveLength(1);
  });
});
