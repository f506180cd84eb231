import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { useEach } from '@tollgate/testkit/use-world';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { onlyRow } from '@tollgate/database/database';
import type { StripeFault } from '@tollgate/testkit/stripe-double/stripe-faults';
import { type StripeMoneyFixture, createStripeMoneyFixture } from '../support/stripe-money-fixture.ts';
import { openPayout } from '../../src/payouts/open-payout.ts';
import type { Payout } from '../../src/payouts/payout.ts';
import { collectionDay, nothingDiffers, payoutDay, useStripeMoney } from '../support/use-stripe-money.ts';

let connected: Awaited<ReturnType<StripeMoneyFixture['connect']>>;
const paths = { charge: '/v1/payment_intents', refund: '/v1/refunds', transfer: '/v1/transfers' };

const onlyOf = <Kept>(kept: readonly Kept[]): Kept => {
  if (kept[0] === undefined || kept.length > 1) throw new Error(`there are ${kept.length} of them`);
  return kept[0];
};

describe('stripe money', () => {
  const fixture = useEach(() => createStripeMoneyFixture());

  beforeEach(async () => {
    connected = await fixture.connect();
    await fixture.useTool('2026-01', 3_000);
    fixture.double.calls.length = 0;
  }, 30_000);

  const collectionDay = '2026-02-02T00:00:01.000Z';
  const payoutDay = '2026-02-08T00:00:01.000Z';
  const nothingDiffers = { cashMicros: 0n, ledger: [] };

  const objectsOf = {
    charge: () => [...fixture.double.state.paymentIntents.values()].filter(({ status }) => status === 'succeeded'),
    refund: () => [...fixture.double.state.refunds.values()],
    transfer: () => [...fixture.double.state.transfers.values()].filter(({ reversed }) => !reversed),
  };
  type Kind = keyof typeof objectsOf;
  const posts = (path: string) => fixture.double.calls.filter((call) => call.method === 'POST' && call.path === path);

  async function later(ms: number): Promise<void> {
    fixture.clock.advance(ms);
    await fixture.runDue();
  }

  /** Up to the order of this kind, which meets the fault. */
  async function meet(kind: Kind, fault: Omit<StripeFault, 'at'>): Promise<void> {
    const script = () => fixture.double.faults.script({ at: `POST ${paths[kind]}`, ...fault });
    if (kind === 'charge') script();
    await fixture.reach(collectionDay);
    if (kind === 'charge') return;
    script();
    if (kind === 'refund') await fixture.refund(500n);
    else await fixture.reach(payoutDay);
  }

  describe('money by way of Stripe', () => {
    it('is charged, paid out and given back, to the cent that Stripe holds', async () => {
      await fixture.reach(collectionDay);
      await fixture.reach(payoutDay);
      await fixture.refund(1_234n);
      expect(await fixture.standing()).toEqual({
        invoice: 'paid',
        payout: 'paid',
        refunds: 'operator succeeded',
        attempts: 'charge succeeded, refund succeeded, transfer succeeded',
      });
      expect(objectsOf.transfer()).toMatchObject([{ amount: 3_000, destination: connected.processorAccountId }]);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    const kinds = ['charge', 'refund', 'transfer'] as const;
    const done = { effect: 'done' } as const;
    const notDone = { effect: 'not_done' } as const; // 409 and 429 come before any effect
    /** One way to Stripe serves all three kinds: the charge meets all, the others what finds them by other lists. */
    const ofAll = [
      { what: 'cut', ...done, times: 3 },
      { what: 500, ...notDone, times: 1 },
    ] as const;
    const ofCharge = [
      { what: 'hang', ...done, times: 3 },
      { what: 'hang', ...notDone, times: 1 },
      { what: 'cut', ...notDone, times: 3 },
      { what: 500, ...done, times: 1 },
      { what: 500, ...notDone, times: 3 },
      { what: 'slow', ...done, times: 1 },
      { what: 409, ...notDone, times: 3 },
      { what: 429, ...notDone, times: 3 },
    ] as const;

    it.each([
      ...kinds.flatMap((kind) => ofAll.map((fault) => ({ kind, ...fault }))),
      ...ofCharge.map((fault) => ({ kind: 'charge', ...fault }) as const),
    ])(
      'F56 F57 F58 F59 moves a $kind once: $what $times times, effect $effect',
      async ({ kind, ...fault }) => {
        await meet(kind, fault);
        fixture.restart();
        for (let minute = 1; minute <= 3; minute += 1) await later(minuteMs + 1_000);
        expect(objectsOf[kind]()).toHaveLength(1);
        expect(await fixture.differences()).toEqual(nothingDiffers);
        expect((await fixture.standing()).attempts).not.toMatch(/unknown|failed/);
      },
      30_000,
    );

    it.each(kinds)('F60 finds a %s whose key Stripe has forgotten, and gives no order', async (kind) => {
      await meet(kind, { what: 'cut', effect: 'done', times: 3 });
      const given = posts(paths[kind]).length;
      fixture.restart();
      await later(25 * hourMs);
      expect(posts(paths[kind])).toHaveLength(given);
      expect(objectsOf[kind]()).toHaveLength(1);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('F59 uses another key only after looking', async () => {
      await meet('transfer', { what: 500, effect: 'not_done' });
      const seen = fixture.double.calls.filter(({ path }) => path === paths.transfer);
      const key = seen.find(({ method }) => method === 'POST')?.idempotencyKey ?? '';
      expect(seen.map(({ method, idempotencyKey }) => [method, idempotencyKey])).toEqual([
        ['GET', undefined],
        ['POST', key],
        ['POST', key],
        ['GET', undefined],
        ['POST', `${key}:2`],
      ]);
    });
  });

  describe('what Stripe does not know', () => {
    it('a customer: the charge fails, and does not stay unknown', async () => {
      fixture.double.state.customers.delete(connected.processorCustomerId);
      await fixture.reach(collectionDay);
      expect(await fixture.standing()).toMatchObject({ invoice: 'open', attempts: 'charge failed' });
    });

    it('a charge of the sandbox: the refund fails', async () => {
      await fixture.reach(collectionDay);
      await fixture.owner.query(`update billing.processor_attempt set object_id = 'ch_of_the_sandbox'`);
      expect(await fixture.refund(500n)).toMatchObject({ status: 'failed', failureCode: 'resource_missing' });
    });
  });

  describe('a payment that the bank refuses', () => {
    const isOpen = ({ status }: { readonly status: string }) =>
      !['succeeded', 'canceled', 'processing'].includes(status);
    const leftOpen = () => [...fixture.double.state.paymentIntents.values()].filter(isOpen);
    const decline = () =>
      fixture.double.banks.answerCard(connected.paymentMethodId, { declineCode: 'generic_decline' });

    it('is canceled, so that the consumer pays only the next one', async () => {
      decline();
      await fixture.reach(collectionDay);
      expect(leftOpen()).toEqual([]);
      fixture.double.banks.answerCard(connected.paymentMethodId, 'pay');
      await fixture.reach('2026-02-03T00:00:02.000Z');
      expect(await fixture.standing()).toMatchObject({ invoice: 'paid', attempts: 'charge failed, charge succeeded' });
      expect(objectsOf.charge()).toHaveLength(1);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    // docs.stripe.com/declines/codes and docs.stripe.com/payments/save-and-reuse, "charge the saved payment method later"
    it.each([
      ['lost_card', 'payment_method', undefined],
      ['authentication_required', 'authentication', 'any'],
    ])(
      'F144 as %s waits for the consumer, whose page asks the bank where it must',
      async (declineCode, awaited, secure) => {
        fixture.double.banks.answerCard(connected.paymentMethodId, { declineCode });
        await fixture.reach(collectionDay);
        const text =
          'select i.waits_for, a.failure_code from billing.invoice i join billing.processor_attempt a on a.subject_id = i.invoice_id';
        expect(await fixture.owner.query(text)).toEqual([{ waits_for: awaited, failure_code: declineCode }]);
        const { url } = await fixture.setUpPaymentMethod();
        const asked = 'payment_method_options[card][request_three_d_secure]';
        expect(posts('/v1/checkout/sessions').at(-1)?.fields[asked]).toBe(secure);
        fixture.double.people.answerSetup(url, 'complete');
        await fixture.deliver(fixture.double.webhooks.events);
        await later(hourMs);
        expect(await fixture.standing()).toMatchObject({
          invoice: 'paid',
          attempts: 'charge failed, charge succeeded',
        });
        expect(await fixture.differences()).toEqual(nothingDiffers);
      },
    );

    it('does not count as failed before it is canceled', async () => {
      decline();
      fixture.double.faults.script({ at: `POST ${paths.charge}/pi_`, what: 'cut', effect: 'not_done', times: 3 });
      await fixture.reach(collectionDay);
      expect(leftOpen()).toHaveLength(1);
      expect(await fixture.standing()).toMatchObject({ attempts: 'charge unknown' });
      await fixture.deliver(fixture.double.webhooks.events);
      expect(await fixture.standing()).toMatchObject({ attempts: 'charge unknown' });
      await later(minuteMs + 1_000);
      expect(leftOpen()).toEqual([]);
      expect(await fixture.standing()).toMatchObject({ invoice: 'open', attempts: 'charge failed' });
    });

    it.each([
      ['paid', 'charge succeeded'],
      ['declined', 'charge failed'],
    ] as const)('may be %s only after a while', async (decision, attempts) => {
      fixture.double.banks.answerCard(connected.paymentMethodId, 'processing');
      await fixture.reach(collectionDay);
      expect(await fixture.standing()).toMatchObject({ attempts: 'charge unknown' });
      const [payment] = fixture.double.state.paymentIntents.values();
      fixture.double.banks.decidePayment(payment?.id ?? '', decision);
      await fixture.deliver(fixture.double.webhooks.events);
      await later(minuteMs + 1_000);
      expect(await fixture.standing()).toMatchObject({ attempts });
      expect(leftOpen()).toEqual([]);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });
  });

  describe('what happens at Stripe later', () => {
    beforeEach(async () => {
      await fixture.reach(collectionDay);
      await fixture.reach(payoutDay);
      await fixture.refund(100n);
    });

    const onlyOf = <Kept>(kept: readonly Kept[]): Kept => {
      if (kept[0] === undefined || kept.length > 1) throw new Error(`there are ${kept.length} of them`);
      return kept[0];
    };

    /** A transfer comes back, a refund is not taken, a dispute is lost, the account is closed to transfers, the card is another. */
    async function letMuchHappen(): Promise<string> {
      const { banks } = fixture.double;
      const charge = onlyOf(objectsOf.charge());
      await connected.onboard('refuse');
      banks.reverseTransfer(onlyOf(objectsOf.transfer()).id);
      banks.failRefund(onlyOf(objectsOf.refund()).id);
      banks.decideDispute(banks.dispute(charge.id, { amount: 700 }), 'lost');
      return connected.enterCard();
    }

    /** Reads our rows of the builder's account and the consumer's card. */
    async function known() {
      const text = `select payouts_enabled as "arePayoutsEnabled", payment_method_id as "paymentMethodId"
      from billing.connected_account, billing.processor_customer`;
      return onlyRow(await fixture.owner.query(text));
    }

    const unapplied = () => fixture.owner.query('select 1 from billing.webhook_event where applied_at is null');

    async function expectAllKnown(paymentMethodId: string): Promise<void> {
      expect(await fixture.standing()).toEqual({
        invoice: 'paid',
        payout: 'failed',
        refunds: 'operator succeeded, dispute succeeded',
        attempts: 'charge succeeded, refund reversed, transfer reversed',
      });
      expect(await known()).toEqual({ arePayoutsEnabled: false, paymentMethodId });
      expect(await fixture.differences()).toEqual(nothingDiffers);
    }

    it('F62 F63 is known by webhooks, ten times each and in any order', async () => {
      const cardId = await letMuchHappen();
      const { events } = fixture.double.webhooks;
      await fixture.deliver(Array.from({ length: 10 }, () => events.toReversed()).flat());
      await expectAllKnown(cardId);
      await fixture.deliver(events.map((event) => ({ ...event, id: `${event.id}_again` })));
      await expectAllKnown(cardId);
    });

    it('F65 is known by the sweep of the next day where no webhook arrives, and not before', async () => {
      const cardId = await letMuchHappen();
      await later(hourMs);
      expect(await fixture.standing()).toMatchObject({ payout: 'paid', refunds: 'operator succeeded' });
      await fixture.reach('2026-02-12T00:00:02.000Z'); // lost for four days
      await expectAllKnown(cardId);
    });

    it('F65 is known when a sweep that Stripe interrupted continues', async () => {
      const cardId = await letMuchHappen();
      fixture.double.faults.script({ at: 'GET /v1/customers/', what: 'cut', effect: 'not_done', times: 3 });
      await fixture.reach('2026-02-12T00:00:02.000Z');
      expect(await fixture.standing()).toMatchObject({ payout: 'paid' });
      fixture.restart();
      await later(11 * minuteMs);
      await expectAllKnown(cardId);
    });

    it('F50 F51 pays a reversed payout again once the account takes transfers', async () => {
      await letMuchHappen();
      await fixture.deliver(fixture.double.webhooks.events);
      await fixture.reach('2026-02-20T00:00:00.000Z');
      expect(objectsOf.transfer()).toEqual([]);
      await fixture.useTool('2026-02', 1_000); // a dispute and a refund have taken 8 USD of what the first one was to pay
      await fixture.reach('2026-03-02T00:00:01.000Z');
      await connected.onboard('complete');
      await fixture.deliver(fixture.double.webhooks.events.slice(-1));
      await fixture.reach('2026-03-09T00:00:00.000Z');
      await later(25 * hourMs);
      const amounts = objectsOf.transfer().map(({ amount }) => amount);
      expect(amounts.toSorted((a, b) => a - b)).toEqual([200, 3_000]);
      expect(await fixture.standing()).toMatchObject({ payout: 'paid paid' });
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('is ignored where it bears the mark of another installation', async () => {
      const { state, webhooks } = fixture.double;
      const [payment] = objectsOf.charge();
      if (!payment) throw new Error('something was paid');
      for (const mark of ['not-even-a-uuid', '00000000-0000-8000-8000-000000000000']) {
        const foreign = { ...payment, id: `pi_${mark}`, metadata: { tollgate_attempt: mark } };
        state.paymentIntents.set(foreign.id, foreign);
        webhooks.happened('payment_intent.succeeded', { object: foreign });
      }
      await fixture.deliver(webhooks.events);
      expect(await unapplied()).toEqual([]);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('disables a deleted customer and account, and applies webhooks of unknown objects', async () => {
      const { state, webhooks } = fixture.double;
      const [customer, account] = [onlyOf([...state.customers.values()]), onlyOf([...state.accounts.values()])];
      state.customers.clear();
      state.accounts.clear();
      webhooks.happened('customer.deleted', { object: customer });
      webhooks.happened('transfer.created', { object: { id: 'tr_of_nobody', object: 'transfer' } });
      const type = 'account.application.deauthorized';
      const data = { object: { id: 'ca_1', object: 'application' } };
      const ofAccount = { id: 'evt_gone', object: 'event', type, created: 1, account: account.id, data } as const;
      await fixture.deliver([...webhooks.events, ofAccount]);
      expect(await known()).toEqual({ arePayoutsEnabled: false, paymentMethodId: null });
      expect(await unapplied()).toEqual([]);
    });
  });
});

/** As on the page docs.stripe.com/connect/separate-charges-and-transfers, “Reverse transfers”. */
describe('money that moves at Stripe without an order', () => {
  /** January's 30.00 are charged and transferred, and 1.00 is given back. */
  const fixture = useStripeMoney({
    calls: 3_000,
    reached: [collectionDay, payoutDay],
    last: ({ refund }) => refund(100n),
  });

  const objectsOf = {
    charge: () => [...fixture.double.state.paymentIntents.values()].filter(({ status }) => status === 'succeeded'),
    transfer: () => [...fixture.double.state.transfers.values()].filter(({ reversed }) => !reversed),
  };

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
