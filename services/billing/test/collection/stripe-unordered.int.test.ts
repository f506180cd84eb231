import { describe, expect, it } from '@jest/globals';
import { onlyRow } from '@tollgate/database/database';
import { openPayout } from '../../src/payouts/open-payout.ts';
import type { Payout } from '../../src/payouts/payout.ts';
import { collectionDay, nothingDiffers, payoutDay, useStripeMoney } from '../support/use-stripe-money.ts';

/** January's 30.00 are charged and transferred, and 1.00 is given back. */
const fixture = useStripeMoney({
  calls: 3_000,
  reached: [collectionDay, payoutDay],
  then: ({ refund }) => refund(100n),
});

const objectsOf = {
  charge: () => [...fixture.double.state.paymentIntents.values()].filter(({ status }) => status === 'succeeded'),
  transfer: () => [...fixture.double.state.transfers.values()].filter(({ reversed }) => !reversed),
};

const onlyOf = <Kept>(kept: readonly Kept[]): Kept => {
  if (kept[0] === undefined || kept.length > 1) throw new Error(`there are ${kept.length} of them`);
  return kept[0];
};

/** As on the page docs.stripe.com/connect/separate-charges-and-transfers, “Reverse transfers”. */
describe('money that moves at Stripe without an order', () => {
  const payable = async () =>
    (
      await fixture.owner.query<{ cents: string }>(
        `select round(-balance_micros / 10000)::text as cents from billing.ledger_account where kind = 'builder_payable'`,
      )
    )[0]?.cents;

  /** The net of a payout, and the sum of all that its statement shows. */
  async function partsOfPayout(period: string) {
    const text = 'select payout_id as id, builder_id as "builderId" from billing.payout where period = $1';
    const query = onlyRow(await fixture.owner.query<{ id: string; builderId: string }>(text, [period]));
    const asOf = { scope: 'lifetime', nowMs: fixture.clock.now() } as const;
    const account = { accountId: query.builderId };
    const opened = await fixture.api.transaction((tx) => openPayout(tx, { ...query, ...asOf }), account);
    if (opened === undefined) throw new Error('there is no such payout');
    const earned = opened.earned.reduce((sum, { earningMicros }) => sum + earningMicros, 0n);
    const { netCents, left } = opened.payout as Payout; // it is stored
    return { netMicros: netCents * 10_000n + left.earningMicros, partsMicros: earned + opened.carriedIn.earningMicros };
  }

  it('F124 owes the part of a transfer that came back to the builder again, and pays it with the next payout', async () => {
    const { banks, webhooks } = fixture.double;
    const { id } = onlyOf(objectsOf.transfer());
    expect(await payable()).toBe('-100'); // the refund
    for (const part of [600, 400]) {
      banks.reverseTransfer(id, part);
      await fixture.deliver(webhooks.events);
      await fixture.deliver(webhooks.events.map((event) => ({ ...event, id: `${event.id}_${part}` })));
    }
    expect(await fixture.standing()).toMatchObject({ payout: 'paid' });
    expect(await payable()).toBe('900');
    expect(await fixture.differences()).toEqual(nothingDiffers);
    await fixture.useTool('2026-02', 1_000);
    await fixture.reach('2026-03-02T00:00:01.000Z');
    await fixture.reach('2026-03-09T00:00:00.000Z');
    expect(objectsOf.transfer().map(({ amount }) => amount)).toEqual([3_000, 1_900]);
    expect(await partsOfPayout('2026-02')).toMatchObject({ netMicros: 19_000_000n, partsMicros: 19_000_000n });
    expect(await fixture.differences()).toEqual(nothingDiffers);
  });

  it('F124 pays a payout again whose transfer came back first in part and then as a whole', async () => {
    const { banks, webhooks } = fixture.double;
    const { id } = onlyOf(objectsOf.transfer());
    banks.reverseTransfer(id, 600);
    await fixture.deliver(webhooks.events);
    banks.reverseTransfer(id);
    await fixture.deliver(webhooks.events);
    expect(await fixture.standing()).toMatchObject({ payout: 'failed' });
    expect(await payable()).toBe('2900');
    expect(await fixture.differences()).toEqual(nothingDiffers);
  });

  /** As on the page docs.stripe.com/refunds: by hand in the Dashboard, and failed later. */
  describe('F122 a refund that somebody made at Stripe', () => {
    const refundByHand = (amount: number) => fixture.double.banks.refundByHand(onlyOf(objectsOf.charge()).id, amount);
    const refunded = { refunds: 'operator succeeded, processor succeeded' };

    it('is booked as a refund that nobody ordered, once, however often it is reported', async () => {
      refundByHand(500);
      const { events } = fixture.double.webhooks;
      await fixture.deliver(Array.from({ length: 10 }, () => events.toReversed()).flat());
      await fixture.deliver(events.map((event) => ({ ...event, id: `${event.id}_again` })));
      expect(await fixture.standing()).toMatchObject(refunded);
      expect(await payable()).toBe('-600');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('is found by the sweep where no webhook arrives', async () => {
      refundByHand(500);
      await fixture.reach('2026-02-12T00:00:02.000Z');
      expect(await fixture.standing()).toMatchObject(refunded);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('and that its bank returned waits in rounding', async () => {
      const refundId = refundByHand(500);
      await fixture.deliver(fixture.double.webhooks.events);
      fixture.double.banks.failRefund(refundId);
      await fixture.deliver(fixture.double.webhooks.events);
      await fixture.deliver(fixture.double.webhooks.events.map((event) => ({ ...event, id: `${event.id}_again` })));
      expect(await payable()).toBe('-600');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });
  });

  /** As on the page docs.stripe.com/disputes/how-disputes-work. */
  describe('F123 a dispute', () => {
    const dispute = (amount: number) => fixture.double.banks.dispute(onlyOf(objectsOf.charge()).id, { amount });

    it('costs its fee, lost or won', async () => {
      const { banks, webhooks } = fixture.double;
      banks.decideDispute(dispute(700), 'lost');
      banks.decideDispute(dispute(300), 'won');
      await fixture.deliver(webhooks.events);
      expect(await payable()).toBe('-800');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('that is won after it was lost gives the money back', async () => {
      const { banks, webhooks } = fixture.double;
      const id = dispute(700);
      for (const [decision, owed] of [
        ['lost', '-800'],
        ['won', '-100'],
      ] as const) {
        banks.decideDispute(id, decision);
        await fixture.deliver(webhooks.events);
        await fixture.deliver(
          webhooks.events.toReversed().map((event) => ({ ...event, id: `${event.id}_${decision}` })),
        );
        expect(await payable()).toBe(owed);
        expect(await fixture.differences()).toEqual(nothingDiffers);
      }
      expect((await fixture.standing()).refunds).toBe('operator succeeded, dispute succeeded, reinstated succeeded');
    });
  });
});
