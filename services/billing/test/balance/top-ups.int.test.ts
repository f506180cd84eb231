import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { silentLog as log } from '../support/silent-log.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';

/** Ada owes 10 USD for January, which is due on February 2nd. */
const fixture = useCollection({ uses: { [ada]: 10 }, now: '2026-01-10T00:00:00Z' });

const fail = (failure: 'decline' | 'timeout_before_effect' | 'timeout_after_effect') =>
  fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });

async function later(minutes: number): Promise<void> {
  fixture.clock.advance(minutes * 60_000);
  await fixture.runDue();
}

/** In cents, with what each credit has left, in the order in which they are spent. */
async function balance(accountId = ada): Promise<string> {
  const { balanceMicros, credits } = await fixture.findBalance(accountId);
  return [balanceMicros / 10_000n, ...credits.map(({ leftCents }) => leftCents)].join(' ');
}

describe('F98 a top-up', () => {
  it('is on the balance once its charge has succeeded, with the fee of the processor', async () => {
    await fixture.putCard(ada, 'visa');
    expect(await fixture.topUp(ada, 2_000n)).toBe('succeeded');
    expect(await balance()).toBe('2000 2000');
    const { cash, ...others } = await fixture.balances();
    expect(others).toEqual({ 'consumer_balance a': '-20', processor_fees: '0.88' });
    expect(cash).toBe('19.12');
  });

  it('pays at once what its account owes, and what comes later', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 1_500n);
    await fixture.runDue();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await fixture.charges()).toEqual([]);
    expect(await balance()).toBe('500 500');
  });

  it('is spent after every credit that was granted, whatever came first', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 900n);
    await fixture.grant(ada, 300n);
    expect(await balance()).toBe('1200 300 900');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await balance()).toBe('200 200');
  });

  it('that is declined charges nothing and says why, and another one may be ordered', async () => {
    await fixture.putCard(ada, 'declined');
    expect(await fixture.topUp(ada, 500n)).toBe('failed declined');
    expect(await fixture.balances()).toEqual({});
    await fixture.putCard(ada, 'visa');
    expect(await fixture.topUp(ada, 500n)).toBe('succeeded');
    expect(await fixture.topUps()).toEqual(['a failed 500 declined', 'a succeeded 500']);
  });

  it.each(['timeout_after_effect', 'timeout_before_effect'] as const)(
    'whose answer is lost (%s) is pending until it is looked up, and charges once',
    async (failure) => {
      await fixture.putCard(ada, 'visa');
      await fail(failure);
      expect(await fixture.topUp(ada, 500n, { key: 'one' })).toBe('pending');
      expect(await fixture.topUp(ada, 500n, { key: 'one' })).toBe('pending again');
      expect(await balance()).toBe('0');
      await later(2);
      expect(await fixture.topUps()).toEqual(['a succeeded 500']);
      expect(await fixture.topUpCharges()).toEqual(['succeeded 500']);
      expect(await balance()).toBe('500 500');
    },
  );

  it('is one per key, however often and at once it is ordered, and another amount under its key is refused', async () => {
    await fixture.putCard(ada, 'visa');
    const url = fixture.database.urlFor('billing_worker');
    const others = [1, 2, 3, 4].map((each) => createDatabase({ url, name: `test-worker-${each}`, log }));
    const answers = await Promise.all(others.map((on) => fixture.topUp(ada, 700n, { key: 'one', on })));
    await Promise.all(others.map((each) => each.stop()));
    expect(answers.filter((answer) => !answer.endsWith('again'))).toHaveLength(1);
    expect(await fixture.topUpCharges()).toEqual(['succeeded 700']);
    await expect(fixture.topUp(ada, 701n, { key: 'one' })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await fixture.putCard(bob, 'visa');
    expect(await fixture.topUp(bob, 701n, { key: 'one' })).toBe('succeeded'); // the key is its account's
    expect(await balance()).toBe('700 700');
  });

  it('needs a payment method, and stores nothing without one', async () => {
    await expect(fixture.topUp(ada, 500n)).rejects.toMatchObject({ code: 'payment_method_required' });
    expect(await fixture.topUps()).toEqual([]);
  });

  it('never goes back from succeeded, by the database', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 500n);
    const change = fixture.owner.query(`update billing.top_up set status = 'failed', succeeded_at = null`);
    await expect(change).rejects.toThrow(/it does not become failed/);
  });
});

describe('F99 money of a top-up that its bank takes back', () => {
  beforeEach(async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 800n);
  });

  it('leaves the balance when the dispute is lost, and stays when it is won', async () => {
    await fixture.disputeTopUp(ada, 300n, 'won');
    expect(await balance()).toBe('800 800');
    const lost = await fixture.disputeTopUp(ada, 500n, 'lost');
    await fixture.money.refresh.dispute(lost); // a webhook that comes twice
    expect(await balance()).toBe('300 300');
    expect(await fixture.balances()).not.toHaveProperty('rounding');
  });

  it('comes from later top-ups where it was spent, and never from a grant; the platform bears the rest', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await balance()).toBe('0');
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']); // 8 of it by the balance, 2 by the card
    await fixture.topUp(ada, 500n);
    await fixture.grant(ada, 100n);
    await fixture.disputeTopUp(ada, 700n, 'lost');
    expect(await balance()).toBe('100 100');
    expect(await fixture.balances()).toMatchObject({ rounding: '2', 'builder_payable e': '-10' });
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
  });

  it('comes back to where it came from when the dispute is won after all', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.topUp(ada, 500n);
    const lost = await fixture.disputeTopUp(ada, 700n, 'lost');
    await fixture.owner.query(`update sandbox.dispute set status = 'won' where dispute_id = $1`, [lost]);
    await fixture.money.refresh.dispute(lost);
    await fixture.money.refresh.dispute(lost);
    expect(await balance()).toBe('500 500');
    expect(await fixture.balances()).not.toHaveProperty('rounding');
  });
});
