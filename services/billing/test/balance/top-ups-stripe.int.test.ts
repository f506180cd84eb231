import { beforeEach, describe, expect, it } from '@jest/globals';
import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { collectionDay, useStripeMoney } from '../support/use-stripe-money.ts';

const fixture = useStripeMoney();

/** The books are those of Stripe, to the cent. */
async function expectNoDifference(): Promise<void> {
  expect(await fixture.differences()).toEqual({ cashMicros: 0n, ledger: [] });
  expect(await fixture.reconcile('2026-01')).toEqual([]);
}

const payments = () => [...fixture.double.state.paymentIntents.values()].filter(({ status }) => status === 'succeeded');

async function later(ms: number): Promise<void> {
  fixture.clock.advance(ms);
  await fixture.runDue();
}

const lostAnswers = [
  { what: 'cut', effect: 'done', times: 3, waitMs: 2 * minuteMs },
  { what: 'hang', effect: 'not_done', times: 1, waitMs: 2 * minuteMs },
  { what: 500, effect: 'not_done', times: 3, waitMs: 2 * minuteMs },
  { what: 'cut', effect: 'done', times: 3, waitMs: 25 * hourMs }, // Stripe has forgotten the key
] as const;

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
