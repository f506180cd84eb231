import { beforeEach, describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { randomUUID } from 'node:crypto';
import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';

const fixture = useCollection({ now: '2026-01-10T00:00:00Z' });

const use = (calls: number) =>
  fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls });

async function later(ms: number): Promise<void> {
  fixture.clock.advance(ms);
  await fixture.runDue();
}

const fail = (failure: 'decline' | 'timeout_after_effect') =>
  fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });

describe('a balance that is topped up by itself', () => {
  beforeEach(() => fixture.putCard(ada, 'visa'));

  it('is so when it falls below its bound, and not before', async () => {
    await fixture.topUp(ada, 1_500n);
    await fixture.setAutoTopUp(ada, 1_000, { amount: 2_000, max: 10_000 });
    await fixture.runDue();
    expect(await fixture.topUps()).toEqual(['a succeeded 1500']);
    await use(5); // 15 less 5 is not below 10
    await fixture.runDue();
    expect(await fixture.topUps()).toEqual(['a succeeded 1500']);
    await use(6);
    await fixture.runDue();
    expect(await fixture.topUps()).toEqual(['a succeeded 1500', 'a succeeded 2000']);
    await later(hourMs);
    expect(await fixture.topUps()).toHaveLength(2);
  });

  it('counts the calls of a month that has ended and is not closed', async () => {
    await use(12);
    await fixture.grant(ada, 1_500n);
    await fixture.setAutoTopUp(ada, 1_000, { amount: 2_000, max: 10_000 });
    fixture.clock.set(Date.parse('2026-02-01T10:00:00Z'));
    await fixture.runDue();
    expect(await fixture.topUps()).toEqual(['a succeeded 2000']);
  });

  it('F100 stops at the most of its month, says so once, and goes on in the next one', async () => {
    await fixture.setAutoTopUp(ada, 100_000, { amount: 2_000, max: 5_000 });
    await fixture.runDue();
    await later(hourMs);
    expect(await fixture.topUps()).toEqual(['a succeeded 2000', 'a succeeded 2000']);
    expect(await fixture.balanceAlerts()).toEqual(['a auto_top_up.limit_reached 4000 of 5000']);
    await fixture.owner.query('delete from billing.auto_top_up'); // set anew, the month is the same
    await fixture.setAutoTopUp(ada, 100_000, { amount: 2_000, max: 5_000 });
    await fixture.runDue();
    expect(await fixture.topUps()).toHaveLength(2);
    fixture.clock.set(Date.parse('2026-02-01T00:00:00Z'));
    await fixture.runDue();
    expect(await fixture.topUps()).toHaveLength(4);
    expect(await fixture.balanceAlerts()).toHaveLength(2);
  });

  it('F100 is refused beyond its month by the database, and without a setting', async () => {
    await fixture.setAutoTopUp(ada, 100, { amount: 2_000, max: 3_000 });
    const insert = (accountId: string) =>
      fixture.owner.query(
        `insert into billing.top_up (top_up_id, account_id, amount_cents, status, created_at, is_automatic, succeeded_at)
         values ($1, $2, 2000, 'succeeded', $3, true, $3)`,
        [randomUUID(), accountId, '2026-01-10T00:00:00Z'],
      );
    const text = 'auto_top_up_is_within_its_month';
    await expect(insert(bob)).rejects.toThrow(text);
    const [month] = await fixture.owner.query<{ ordered_cents: string }>('select * from billing.auto_top_up_month');
    expect(month).toBeUndefined();
    await fixture.runDue();
    expect(await fixture.topUps()).toEqual(['a succeeded 2000']);
    await expect(insert(ada)).rejects.toThrow(text);
  });

  it('F100 is topped up once by several processes at once, and not while one charge is unknown', async () => {
    await fixture.setAutoTopUp(ada, 1_000, { amount: 2_000, max: 100_000 });
    await fail('timeout_after_effect');
    await fixture.runDueAtOnce();
    expect(await fixture.topUps()).toEqual(['a pending 2000']);
    await fixture.runDueAtOnce();
    expect(await fixture.topUps()).toHaveLength(1);
    await later(2 * 60_000);
    expect(await fixture.topUps()).toEqual(['a succeeded 2000']);
    expect(await fixture.topUpCharges()).toEqual(['succeeded 2000']);
  });
});

describe('an automatic top-up that fails', () => {
  beforeEach(() => fixture.setAutoTopUp(ada, 1_000, { amount: 2_000, max: 2_500 }));

  it('waits longer each time, tells its account, and takes nothing of the month', async () => {
    await fixture.putCard(ada, 'declined');
    await fixture.runDue();
    await later(59 * 60_000);
    expect(await fixture.topUps()).toEqual(['a failed 2000 declined']);
    await later(60_000);
    await later(5 * hourMs);
    expect(await fixture.topUps()).toHaveLength(2);
    await later(hourMs);
    expect(await fixture.topUps()).toHaveLength(3);
    expect(await fixture.balanceAlerts()).toEqual(
      Array.from({ length: 3 }, () => 'a auto_top_up.failed declined 0 of 2500'),
    );
  });

  it('is tried at once with a new payment method, and then has failed no more', async () => {
    await fixture.putCard(ada, 'declined');
    await fixture.runDue();
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect(await fixture.topUps()).toEqual(['a failed 2000 declined', 'a succeeded 2000']);
    const text = 'select failures, failure_code, retry_at from billing.auto_top_up';
    expect(await fixture.owner.query(text)).toEqual([{ failures: 0, failure_code: null, retry_at: null }]);
  });

  it('for want of a payment method is reported as well, and orders nothing', async () => {
    await fixture.runDue();
    await later(30 * 60_000);
    expect(await fixture.topUps()).toEqual([]);
    expect(await fixture.balanceAlerts()).toEqual(['a auto_top_up.failed payment_method_required 0 of 2500']);
  });
});
