import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { silentLog as log } from '../support/silent-log.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { randomUUID } from 'node:crypto';
import { collectionDay, useStripeMoney } from '../support/use-stripe-money.ts';

const lostAnswers = [
  { what: 'cut', effect: 'done', times: 3, waitMs: 2 * minuteMs },
  { what: 'hang', effect: 'not_done', times: 1, waitMs: 2 * minuteMs },
  { what: 500, effect: 'not_done', times: 3, waitMs: 2 * minuteMs },
  { what: 'cut', effect: 'done', times: 3, waitMs: 25 * hourMs }, // Stripe has forgotten the key
] as const;

describe('top ups', () => {
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
});

describe('auto top up', () => {
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
});

describe('top ups stripe', () => {
  const fixture = useStripeMoney();

  /** The books are those of Stripe, to the cent. */
  async function expectNoDifference(): Promise<void> {
    expect(await fixture.differences()).toEqual({ cashMicros: 0n, ledger: [] });
    expect(await fixture.reconcile('2026-01')).toEqual([]);
  }

  const payments = () =>
    [...fixture.double.state.paymentIntents.values()].filter(({ status }) => status === 'succeeded');

  async function later(ms: number): Promise<void> {
    fixture.clock.advance(ms);
    await fixture.runDue();
  }

  describe('F98 a top-up by way of Stripe', () => {
    it('is a payment that names it, and is on the balance', async () => {
      const { id, status } = await fixture.topUp(2_000n);
      expect(status).toBe('succeeded');
      expect(payments()).toMatchObject([{ amount: 2_000, metadata: { tollgate_top_up: id } }]);
      expect(await fixture.balance()).toBe(2_000n);
      await expectNoDifference();
    });

    it.each(lostAnswers)(
      'charges once: $what $times times, effect $effect, asked after $waitMs ms',
      async ({ waitMs, ...fault }) => {
        fixture.double.faults.script({ at: 'POST /v1/payment_intents', ...fault });
        await fixture.topUp(2_000n);
        fixture.restart();
        await later(waitMs);
        await fixture.topUp(2_000n); // the consumer asks again
        await later(2 * minuteMs);
        expect(payments()).toHaveLength(1);
        expect(await fixture.balance()).toBe(2_000n);
        await expectNoDifference();
      },
      30_000,
    );
  });

  describe('F99 a disputed top-up', () => {
    /** The consumer owes 10 USD for January. */
    async function owe() {
      await fixture.useTool('2026-01', 1_000);
      await fixture.reach(collectionDay);
    }

    const dispute = async (amount: number) => {
      const [payment] = payments();
      const id = fixture.double.banks.dispute(payment?.id ?? '', { amount });
      await fixture.refresh().dispute(id);
      return id;
    };

    it('is not spent while the dispute is open, and pays once it is won', async () => {
      await fixture.topUp(2_000n);
      const id = await dispute(2_000);
      await owe();
      expect(payments()).toHaveLength(2); // the card paid the invoice
      expect(await fixture.balance()).toBe(2_000n);
      fixture.double.banks.decideDispute(id, 'won');
      await fixture.refresh().dispute(id);
      await fixture.useTool('2026-02', 500);
      await fixture.reach('2026-03-02T00:00:01.000Z');
      expect(payments()).toHaveLength(2);
      expect(await fixture.balance()).toBe(1_500n);
      await expectNoDifference();
    });

    it('leaves the balance when it is lost, and comes back when it is won later', async () => {
      await fixture.topUp(2_000n);
      const id = await dispute(1_200);
      fixture.double.banks.decideDispute(id, 'lost');
      await fixture.refresh().dispute(id);
      expect(await fixture.balance()).toBe(800n);
      fixture.double.banks.decideDispute(id, 'won');
      await fixture.refresh().dispute(id);
      expect(await fixture.balance()).toBe(2_000n);
      await expectNoDifference();
    });

    it('also leaves the balance when somebody refunds it at Stripe, and comes back when that refund fails', async () => {
      await fixture.topUp(2_000n);
      const { banks } = fixture.double;
      const refundId = banks.refundByHand(payments()[0]?.id ?? '', 700);
      for (const _time of [1, 2]) await fixture.refresh().refund(refundId);
      expect(await fixture.balance()).toBe(1_300n);
      expect(await fixture.reconcile('2026-01')).toEqual([]);
      banks.failRefund(refundId);
      for (const _time of [1, 2]) await fixture.refresh().refund(refundId);
      expect(await fixture.balance()).toBe(2_000n);
      await expectNoDifference();
    });
  });

  describe('F101 a refund of the balance by way of Stripe', () => {
    const refunds = () => [...fixture.double.state.refunds.values()].filter(({ status }) => status === 'succeeded');

    beforeEach(() => fixture.topUp(2_000n));

    it('is a refund of the payment that names its part', async () => {
      const refund = await fixture.refundBalance(1_200n);
      expect(refund.parts).toMatchObject([{ status: 'succeeded', amountCents: 1_200n }]);
      expect(refunds()).toMatchObject([{ amount: 1_200, metadata: { tollgate_refund: refund.parts[0]?.id } }]);
      expect(await fixture.balance()).toBe(800n);
      await expectNoDifference();
    });

    it.each(lostAnswers)(
      'goes back once: $what $times times, effect $effect, asked after $waitMs ms',
      async ({ waitMs, ...fault }) => {
        fixture.double.faults.script({ at: 'POST /v1/refunds', ...fault });
        await fixture.refundBalance(1_200n);
        expect(await fixture.balance()).toBe(800n); // it left the balance before the order went
        fixture.restart();
        await later(waitMs);
        await fixture.refundBalance(1_200n); // the consumer asks again
        await later(2 * minuteMs);
        expect(refunds()).toMatchObject([{ amount: 1_200 }]);
        expect(await fixture.balance()).toBe(800n);
        await expectNoDifference();
      },
      30_000,
    );

    it('is on the balance again when the bank returns it, with the fee of Stripe', async () => {
      fixture.double.state.platform.refundFeeCents = 25;
      await fixture.refundBalance(1_200n);
      const [refund] = refunds();
      fixture.double.banks.failRefund(refund?.id ?? '');
      for (const _time of [1, 2]) await fixture.refresh().refund(refund?.id ?? '');
      expect(await fixture.refundBalance(1_200n)).toMatchObject({ parts: [{ status: 'failed' }] });
      expect(await fixture.balance()).toBe(2_000n);
      await expectNoDifference();
    });

    it('does not keep a bank from taking the whole payment by a dispute; the platform bears it', async () => {
      await fixture.refundBalance(1_200n);
      const [payment] = payments();
      const id = fixture.double.banks.dispute(payment?.id ?? '', { amount: 2_000 });
      fixture.double.banks.decideDispute(id, 'lost');
      await fixture.refresh().dispute(id);
      expect(await fixture.balance()).toBe(0n);
      await expectNoDifference();
    });
  });
});
