import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppError } from '@tollgate/kernel/app-error';
import {
  chargeCentsMax,
  type ChargeOrder,
  type Movement,
  type MovementOrder,
  type Movements,
  type Processor,
  type ProcessorDispute,
  type RefundOrder,
  type TransferOrder,
} from '../../src/processor/processor.ts';
import { collect } from './collect.ts';
import { describeOwnPayouts, type OpenOwnPayouts } from './own-payouts.contract.ts';
import type { OpenProcessor } from './processor.contract.ts';

/** A processor with which money moves, and those who decide what becomes of it. */
export interface OpenMovements extends OpenProcessor, OpenOwnPayouts {
  readonly processor: Processor;
  /** From now on every charge of the customer's card is declined. The card may be another one then. */
  makeCardDecline(processorCustomerId: string): Promise<void>;
  /** The next order of this kind is carried out, and its answer is lost. */
  loseNextAnswer(kind: 'charge' | 'refund' | 'transfer'): Promise<void>;
  /** Does the work while our balance at the processor is too small for any transfer. */
  withoutFunds<T>(work: () => Promise<T>): Promise<T>;
  /** Lets the transfer be made, and later come back. */
  createReversed(order: TransferOrder): Promise<Movement>;
  dispute(opened: DisputeOpened): Promise<void>;
  /** Opens a dispute that is not decided yet. Returns its id. */
  openDispute(opened: Omit<DisputeOpened, 'outcome'>): Promise<string>;
  decideDispute(disputeId: string, outcome: 'won' | 'lost'): Promise<void>;
}

interface DisputeOpened {
  readonly chargeObjectId: string;
  readonly amountCents: bigint;
  readonly outcome: 'won' | 'lost';
}

interface MovementsUnderTest<Order extends MovementOrder> {
  /** The id at the processor of whose money moves. */
  partyOf(order: Order): string;
  of(): Movements<Order>;
  order(): Promise<Order>;
  /** The same for another invoice, refund or payout. */
  forAnother(order: Order): Order;
}

const returnUrl = 'https://anybody.example/back';
let names = 0;
const newName = (what: string) => `movements-${what}-${(names += 1)}`;

/** Billing relies on this contract of any processor where money moves. */
export function describeMovements(name: string, open: () => Promise<OpenMovements>): void {
  describe(`${name}, moving money`, () => {
    let opened: OpenMovements;

    beforeAll(async () => {
      opened = await open();
    });

    afterAll(() => opened.close());

    const newAttempt = (amountCents: bigint) => {
      const attemptId = newName('attempt');
      return { attemptId, idempotencyKey: `tollgate:${attemptId}:${amountCents}`, amountCents };
    };

    async function newCustomer() {
      const { customers } = opened.processor;
      const keyed = { idempotencyKey: newName('customer'), reference: newName('account') };
      const { processorCustomerId } = await customers.create(keyed);
      const link = await customers.createSetupLink({ processorCustomerId, returnUrl });
      await opened.answerSetup(link, 'complete');
      return payerOf(processorCustomerId);
    }

    async function payerOf(processorCustomerId: string) {
      const card = await opened.processor.customers.readPaymentMethod(processorCustomerId);
      return { processorCustomerId, paymentMethodId: card?.paymentMethodId ?? '' };
    }

    async function newPayoutAccount(answer?: 'complete' | 'refuse') {
      const { payoutAccounts } = opened.processor;
      const keyed = { idempotencyKey: newName('account'), reference: newName('builder') };
      const { processorAccountId } = await payoutAccounts.create(keyed);
      if (answer) await answerOnboarding(processorAccountId, answer);
      return processorAccountId;
    }

    async function answerOnboarding(processorAccountId: string, answer: 'complete' | 'refuse') {
      const link = await opened.processor.payoutAccounts.createLink({ processorAccountId, returnUrl });
      await opened.answerOnboarding(link, answer);
    }

    async function newChargeOrder(amountCents = 1_000n): Promise<ChargeOrder> {
      return { ...newAttempt(amountCents), ...(await newCustomer()), invoiceId: newName('invoice') };
    }

    async function newTopUpOrder(amountCents = 1_000n): Promise<ChargeOrder> {
      return { ...newAttempt(amountCents), ...(await newCustomer()), topUpId: newName('top-up') };
    }

    async function newCharge(amountCents?: bigint) {
      const charge = await opened.processor.charges.create(await newChargeOrder(amountCents));
      expect(charge.status).toBe('succeeded');
      return charge.objectId ?? '';
    }

    async function newRefundOrder(amountCents = 1_000n, chargeObjectId?: string): Promise<RefundOrder> {
      const charge = chargeObjectId ?? (await newCharge(amountCents + 1n));
      return { ...newAttempt(amountCents), chargeObjectId: charge, refundId: newName('refund') };
    }

    async function newTransferOrder(amountCents = 1_000n, account?: string): Promise<TransferOrder> {
      const processorAccountId = account ?? (await newPayoutAccount('complete'));
      return { ...newAttempt(amountCents), processorAccountId, payoutId: newName('payout') };
    }

    const secondStart = () => Math.floor(opened.nowMs() / 1_000) * 1_000;

    function describeEach<Order extends MovementOrder>(
      kind: 'charge' | 'refund' | 'transfer',
      { of, order, partyOf, forAnother }: MovementsUnderTest<Order>,
    ): void {
      const found = async (given: Order) => onlyOne(await of().findAll(given));
      const listed = (window: { sinceMs: number; untilMs: number }) => collect(of().list(window));

      it('does what it is told, and says so', async () => {
        const given = await order();
        const before = secondStart();
        const made = await of().create(given);
        expect(made).toMatchObject({ attemptId: given.attemptId, amountCents: given.amountCents, status: 'succeeded' });
        expect(made).toMatchObject({ objectId: expect.stringMatching(/./), failureCode: undefined });
        expect(made.createdAtMs).toBeGreaterThanOrEqual(before);
        expect(await found(given)).toMatchObject({ partyId: partyOf(given), currency: 'usd', returnedCents: 0n });
        expect(await of().read(made.objectId ?? '')).toEqual(made);
        expect(await found(given)).toEqual(made);
      });

      it('F56 moves money once a key, however often and at once it is told', async () => {
        const given = await order();
        const sinceMs = secondStart();
        const made = await Promise.all([1, 2, 3, 4, 5].map(() => of().create(given)));
        const again = await of().create(given);
        expect(new Set([...made, again].map(({ objectId }) => objectId)).size).toBe(1);
        const all = await listed({ sinceMs, untilMs: opened.nowMs() + 1_000 });
        expect(all.filter(({ attemptId }) => attemptId === given.attemptId)).toEqual([made[0]]);
      });

      it('F61 refuses a key that ordered another amount', async () => {
        const given = await order();
        await of().create(given);
        const reused = of().create({ ...given, amountCents: given.amountCents - 1n });
        await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' });
      });

      it('F57 finds what was made though its answer was lost, and the same key makes nothing more', async () => {
        const given = await order();
        await opened.loseNextAnswer(kind);
        const answered = await of()
          .create(given)
          .then(
            () => 'made', // an adapter that has asked again got it made
            (error: AppError) => error.kind,
          );
        expect(['made', 'unavailable']).toContain(answered);
        const made = await found(given);
        expect(made).toMatchObject({ status: 'succeeded', amountCents: given.amountCents });
        expect(await of().create(given)).toEqual(made);
      });

      it('F91 finds what another order has made for the same, and nothing that is for something else', async () => {
        const given = await order();
        const made = await of().create(given);
        await of().create({ ...forAnother(given), ...newAttempt(1n) });
        expect(await of().findAll({ ...given, ...newAttempt(given.amountCents) })).toEqual([made]);
      });

      it('finds nothing of what never arrived', async () => {
        expect(await of().findAll(await order())).toEqual([]);
      });

      it('lists what was made in the window, its beginning included and its end not', async () => {
        const made = await of().create(await order());
        const at = made.createdAtMs;
        const has = async (sinceMs: number, untilMs: number) =>
          (await listed({ sinceMs, untilMs })).some(({ objectId }) => objectId === made.objectId);
        expect(await has(at, at + 1_000)).toBe(true);
        expect(await has(at - 1_000, at)).toBe(false);
        expect(await has(at + 1_000, at + 2_000)).toBe(false);
      });

      it('knows nothing that it did not make', async () => {
        await expect(of().read('none_unknown')).rejects.toMatchObject({ kind: 'not_found' });
      });
    }

    describe('charges', () => {
      it('F213 takes at most so much in one charge', async () => {
        const tooLarge = await charges().create(await newChargeOrder(chargeCentsMax + 1n));
        expect(tooLarge).toMatchObject({ status: 'failed', failureCode: 'amount_too_large' });
        expect(await charges().create(await newChargeOrder(chargeCentsMax))).toMatchObject({ status: 'succeeded' });
      });

      const charges = () => opened.processor.charges;
      const forAnother = ({ topUpId, invoiceId, ...order }: ChargeOrder): ChargeOrder =>
        topUpId === undefined
          ? { ...order, invoiceId: `${invoiceId}-another` }
          : { ...order, topUpId: `${topUpId}-another` };
      const partyOf = ({ processorCustomerId }: ChargeOrder) => processorCustomerId;
      describeEach('charge', { of: charges, order: () => newChargeOrder(), partyOf, forAnother });

      describe('of top-ups', () => {
        describeEach('charge', { of: charges, order: () => newTopUpOrder(), partyOf, forAnother });
      });

      it('keeps a fee of what succeeded, and less than it', async () => {
        const { feeCents } = await charges().create(await newChargeOrder(1_000n));
        expect(feeCents > 0n && feeCents < 1_000n).toBe(true);
      });

      it('is declined where the card is, and takes nothing', async () => {
        const order = await newChargeOrder();
        await opened.makeCardDecline(order.processorCustomerId);
        const payer = await payerOf(order.processorCustomerId);
        const declined = await charges().create({ ...order, ...payer });
        expect(declined).toMatchObject({ status: 'failed', failureCode: 'declined', feeCents: 0n });
        expect(await charges().create({ ...order, ...payer })).toEqual(declined);
      });

      it('fails with a card that was taken away', async () => {
        const order = await newChargeOrder();
        await opened.processor.customers.removePaymentMethods(order.processorCustomerId);
        expect(await charges().create(order)).toMatchObject({ status: 'failed' });
      });

      it('lists more than a page', async () => {
        const payer = await newCustomer();
        const sinceMs = secondStart();
        const orders = Array.from({ length: 101 }, () => ({ ...newAttempt(100n), ...payer, invoiceId: newName('i') }));
        // Moves twenty at a time: some processors limit the calls per second, and refuse whom they keep waiting.
        for (let from = 0; from < orders.length; from += 20)
          await Promise.all(orders.slice(from, from + 20).map((order) => charges().create(order)));
        const listed = await collect(charges().list({ sinceMs, untilMs: opened.nowMs() + 1_000 }));
        const attempts = new Set(orders.map(({ attemptId }) => attemptId));
        expect(listed.filter(({ attemptId = '' }) => attempts.has(attemptId))).toHaveLength(101);
        expect(new Set(listed.map(({ objectId }) => objectId)).size).toBe(listed.length);
      }, 30_000);
    });

    describe('refunds', () => {
      const refunds = () => opened.processor.refunds;
      const forAnother = (order: RefundOrder) => ({ ...order, refundId: newName('refund') });
      const partyOf = ({ chargeObjectId }: RefundOrder) => chargeObjectId;
      describeEach('refund', { of: refunds, order: () => newRefundOrder(), partyOf, forAnother });

      it('gives a charge back in parts, and never more than it was', async () => {
        const charge = await newCharge(1_000n);
        expect(await refunds().create(await newRefundOrder(400n, charge))).toMatchObject({ status: 'succeeded' });
        expect(await refunds().create(await newRefundOrder(601n, charge))).toMatchObject({ status: 'failed' });
        expect(await refunds().create(await newRefundOrder(600n, charge))).toMatchObject({ status: 'succeeded' });
        expect(await refunds().create(await newRefundOrder(1n, charge))).toMatchObject({ status: 'failed' });
      });

      it('gives the charge of a top-up back like any other', async () => {
        const { objectId } = await opened.processor.charges.create(await newTopUpOrder(1_000n));
        const order = await newRefundOrder(1_000n, objectId);
        expect(await refunds().create(order)).toMatchObject({ status: 'succeeded', amountCents: 1_000n });
        expect(await refunds().findAll(order)).toMatchObject([{ attemptId: order.attemptId, partyId: objectId }]);
      });
    });

    describe('transfers', () => {
      const transfers = () => opened.processor.transfers;
      const forAnother = (order: TransferOrder) => ({ ...order, payoutId: newName('payout') });
      const partyOf = ({ processorAccountId }: TransferOrder) => processorAccountId;
      describeEach('transfer', { of: transfers, order: () => newTransferOrder(), partyOf, forAnother });

      it('F51 fails while the account is not enabled, and goes through once it is', async () => {
        const account = await newPayoutAccount();
        const unavailable = { status: 'failed', failureCode: 'account_unavailable' };
        expect(await transfers().create(await newTransferOrder(500n, account))).toMatchObject(unavailable);
        await answerOnboarding(account, 'refuse');
        expect(await transfers().create(await newTransferOrder(500n, account))).toMatchObject(unavailable);
        await answerOnboarding(account, 'complete');
        expect(await transfers().create(await newTransferOrder(500n, account))).toMatchObject({ status: 'succeeded' });
      });

      it('F53 fails while our balance there is too small, and moves nothing', async () => {
        const order = await newTransferOrder(700n);
        const refused = await opened.withoutFunds(() => transfers().create(order));
        expect(refused).toMatchObject({ status: 'failed', failureCode: 'insufficient_funds_of_platform' });
        const later = { ...order, ...newAttempt(700n) };
        expect(await transfers().create(later)).toMatchObject({ status: 'succeeded' });
      });

      it('F50 says of one that came back that it did', async () => {
        const order = await newTransferOrder(800n);
        const { objectId = '', ...made } = await opened.createReversed(order);
        expect(made).toMatchObject({ status: 'succeeded' });
        const reversed = { status: 'reversed', amountCents: 800n, returnedCents: 800n };
        expect(await transfers().read(objectId)).toMatchObject(reversed);
        expect(await transfers().findAll(order)).toMatchObject([{ objectId, status: 'reversed' }]);
      });
    });

    it('F121 holds a balance that changes with each movement, and nothing of its own', async () => {
      const cash = async () => {
        const { heldCents, ownCents } = await opened.processor.readBalance();
        return heldCents - ownCents;
      };
      const before = await cash();
      const { objectId: charge = '', feeCents } = await opened.processor.charges.create(await newChargeOrder(5_000n));
      await opened.processor.refunds.create(await newRefundOrder(700n, charge));
      await opened.processor.transfers.create(await newTransferOrder(900n));
      await opened.createReversed(await newTransferOrder(800n));
      const refused = await newTransferOrder(600n);
      await opened.withoutFunds(() => opened.processor.transfers.create(refused));
      expect((await cash()) - before).toBe(5_000n - feeCents - 700n - 900n);
      const sinceMs = secondStart();
      await opened.dispute({ chargeObjectId: charge, amountCents: 300n, outcome: 'lost' });
      const ofCharge = await collect(opened.processor.disputes.list({ sinceMs, untilMs: opened.nowMs() + 1_000 }));
      const disputeFee = ofCharge.find(({ chargeObjectId }) => chargeObjectId === charge)?.feeCents ?? 0n;
      expect((await cash()) - before).toBe(5_000n - feeCents - 700n - 900n - 300n - disputeFee);
    });

    describeOwnPayouts(() => opened);

    describe('disputes', () => {
      const disputes = () => opened.processor.disputes;

      it.each(['won', 'lost'] as const)('F52 are %s, read and listed', async (outcome) => {
        const chargeObjectId = await newCharge(1_000n);
        const sinceMs = secondStart();
        await opened.dispute({ chargeObjectId, amountCents: 300n, outcome });
        const all: ProcessorDispute[] = await collect(disputes().list({ sinceMs, untilMs: opened.nowMs() + 1_000 }));
        const found = all.filter((dispute) => dispute.chargeObjectId === chargeObjectId);
        const takenCents = outcome === 'lost' ? 300n : 0n;
        expect(found).toMatchObject([{ amountCents: 300n, status: outcome, takenCents }]);
        expect(await disputes().read(found[0]?.objectId ?? '')).toEqual(found[0]);
        expect(await collect(disputes().list({ sinceMs: sinceMs - 2_000, untilMs: sinceMs - 1_000 }))).toEqual([]);
      });

      it.each(['won', 'lost'] as const)(
        'F232 hold money and fee while they are open, and are %s later',
        async (outcome) => {
          const chargeObjectId = await newCharge(1_000n);
          const held = async () => (await opened.processor.readBalance()).heldCents;
          const before = await held();
          const objectId = await opened.openDispute({ chargeObjectId, amountCents: 300n });
          const { feeCents, ...open } = await disputes().read(objectId);
          expect(open).toMatchObject({ chargeObjectId, amountCents: 300n, status: 'open', takenCents: 300n });
          expect(feeCents).toBeGreaterThan(0n);
          expect((await held()) - before).toBe(-300n - feeCents);
          await opened.decideDispute(objectId, outcome);
          const takenCents = outcome === 'lost' ? 300n : 0n;
          expect(await disputes().read(objectId)).toMatchObject({ status: outcome, takenCents, feeCents });
          expect((await held()) - before).toBe(-takenCents - feeCents);
        },
      );

      it('knows none that was not opened', async () => {
        await expect(disputes().read('none_unknown')).rejects.toMatchObject({ kind: 'not_found' });
      });
    });
  });
}

function onlyOne<Item>(items: readonly Item[]): Item | undefined {
  expect(items.length).toBe(1);
  return items[0];
}
