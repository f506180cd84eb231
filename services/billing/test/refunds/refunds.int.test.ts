import { byOperator } from '../support/by-operator.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { onlyRow } from '@tollgate/database/database';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import type { RefundOrdered } from '../../src/refunds/refund-invoice.ts';
import type { RefundPart } from '../../src/refunds/refund.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { type MoneyWorld, createMoneyWorld } from '../support/money-simulation/create-money-world.ts';
import { Died } from '../support/money-simulation/crash.ts';
import { proveLedger } from '../support/prove-ledger.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { sumFees } from '../../src/audit/sql-sum-ledger.ts';
import { type PlantedRow, deletePostingSql, plant } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';
import { collectionDay, nothingDiffers, useStripeMoney } from '../support/use-stripe-money.ts';

const builder = '0000000b-0000-4000-8000-00000000000a';
const consumer = '1000000a-0000-4000-8000-000000000000';
const random = seededRandom('refunds', 1);

describe('refunds', () => {
  let world: MoneyWorld;

  /** January's 1,200 calls at 1 USD are paid: 1,200.00, of which the builder has earned 1,192.00, since 200 are above 1,000. */
  beforeEach(async () => {
    world = await createMoneyWorld({ startMs: Date.parse('2024-01-20T12:00:00Z'), scope: 'lifetime' });
    await world.putTool({ slug: 'search', ownerId: builder, price: perCall('1') });
    await world.useCases.enterCard(consumer, { answer: 'complete', card: 'visa' });
    await world.useCases.onboard(builder, 'complete');
    await world.passWebhooks(random);
    await world.addUsage({ consumerId: consumer, tool: 'search', hour: '2024-01-20T10:00:00Z', calls: 1_200 });
    await passTime(13 * 24); // February 2nd
  });
  afterEach(async () => {
    await proveLedger(world.checkLedgerOn);
    await world.drop();
  });

  async function passTime(hours: number): Promise<void> {
    world.clock.advance(hours * hourMs);
    await world.runDueWork();
  }

  async function invoiceId(period = '2024-01'): Promise<string> {
    const text = 'select invoice_id as id from billing.invoice where period = $1';
    return onlyRow(await world.owner.query<{ id: string }>(text, [period])).id;
  }

  const refund = async (amountCents: bigint, idempotencyKey?: string) =>
    world.useCases.refundInvoice({ invoiceId: await invoiceId(), amountCents, idempotencyKey, by: byOperator });

  async function dispute(amountCents: bigint, outcome: 'won' | 'lost') {
    const text = `select object_id as id from sandbox.movement where kind = 'charge'`;
    const { id: chargeObjectId } = onlyRow(await world.owner.query<{ id: string }>(text));
    return world.bank.dispute({ chargeObjectId, amountCents, outcome });
  }

  /** In dollars: what is owed to the builder, what was taken in fees, what has no owner. */
  async function owed() {
    const rows = await world.owner.query<{ kind: string; micros: string }>(
      `select kind, (-balance_micros)::text as micros from billing.ledger_account
     where kind in ('builder_payable', 'platform_fees', 'rounding') and balance_micros <> 0`,
    );
    return Object.fromEntries(rows.map(({ kind, micros: amount }) => [kind, formatUsd(micros(BigInt(amount)))]));
  }

  async function payouts(): Promise<string[]> {
    const rows = await world.owner.query<{ line: string }>(
      `select concat_ws(' ', period, status, net_cents, fee_cents) as line from billing.payout order by period`,
    );
    return rows.map(({ line }) => line);
  }

  describe('F52 a refund', () => {
    it('takes back of builder and platform what they had of it, the fee first where it was taken last', async () => {
      expect(await owed()).toEqual({ builder_payable: '1192', platform_fees: '8' });
      const succeeded = { status: 'succeeded', amountCents: 10_000n, cause: 'operator' };
      expect((await refund(10_000n)).refund).toMatchObject(succeeded);
      expect(await owed()).toEqual({ builder_payable: '1096', platform_fees: '4' });
      await refund(30_000n);
      expect(await owed()).toEqual({ builder_payable: '800' });
    });

    it('never exceeds in all what was paid, and needs a paid invoice', async () => {
      await refund(100_000n);
      await expect(refund(20_001n)).rejects.toMatchObject({ kind: 'unprocessable', code: 'refund_too_large' });
      await refund(20_000n);
      await expect(refund(1n)).rejects.toMatchObject({ code: 'refund_too_large' });
      expect(await owed()).toEqual({});
      await world.useCases.removeCard(consumer, byOperator);
      await world.addUsage({ consumerId: consumer, tool: 'search', hour: '2024-02-02T10:00:00Z', calls: 5 });
      await passTime(29 * 24);
      const unpaid = {
        invoiceId: await invoiceId('2024-02'),
        amountCents: 1n,
        idempotencyKey: undefined,
        by: byOperator,
      };
      const notPaid = { kind: 'conflict', code: 'invoice_not_paid' };
      await expect(world.useCases.refundInvoice(unpaid)).rejects.toMatchObject(notPaid);
    });

    it('is ordered once per key, and refused under that key with another amount', async () => {
      const first = await refund(700n, 'order-7');
      expect(first).toMatchObject({ isReplayed: false, refund: { status: 'succeeded' } });
      expect(await refund(700n, 'order-7')).toEqual({ ...first, isReplayed: true });
      await expect(refund(701n, 'order-7')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
      expect(await owed()).toEqual({ builder_payable: '1185.28', platform_fees: '7.72' });
    });

    it('with an unknown outcome stays pending and holds its amount until it is looked up', async () => {
      await world.failures.add({ on: 'refund', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
      expect((await refund(50_000n)).refund.status).toBe('pending');
      await expect(refund(100_000n)).rejects.toMatchObject({ code: 'refund_too_large' });
      expect(await owed()).toEqual({ builder_payable: '1192', platform_fees: '8' });
      await passTime(1);
      expect(await owed()).toEqual({ builder_payable: '700' });
    });

    it('that the processor declines moves nothing and frees its amount', async () => {
      await world.failures.add({ on: 'refund', failure: 'decline', times: 1, subjectId: undefined });
      expect((await refund(120_000n)).refund).toMatchObject({ status: 'failed', failureCode: 'declined' });
      expect((await refund(120_000n)).refund.status).toBe('succeeded');
      expect(await owed()).toEqual({});
    });

    it('after the payout leaves a debt of the builder, which later earnings pay', async () => {
      await passTime(7 * 24); // payout day of January
      expect(await payouts()).toEqual(['2024-01 paid 119200 800']);
      await refund(30_000n);
      expect(await owed()).toEqual({ builder_payable: '-292' }); // 292 of earning, 8 of fee
      await world.addUsage({ consumerId: consumer, tool: 'search', hour: '2024-02-08T10:00:00Z', calls: 150 });
      await passTime(31 * 24); // 150 came in, and the payout day of February is past
      expect(await owed()).toEqual({ builder_payable: '-144', platform_fees: '2' });
      await world.addUsage({ consumerId: consumer, tool: 'search', hour: '2024-03-10T10:00:00Z', calls: 400 });
      await passTime(31 * 24);
      expect(await payouts()).toEqual(['2024-01 paid 119200 800', '2024-03 paid 24000 1000']); // fees of 18 in all, 8 of them reported before
      expect(await owed()).toEqual({ platform_fees: '18' });
    });
  });

  describe('F170 a refund of a part', () => {
    const other = '0000000c-0000-4000-8000-00000000000c';

    /** February's invoice: 10 USD of one builder in two tools, 6 of them in the second; 30 USD of another builder. */
    beforeEach(async () => {
      await world.putTool({ slug: 'maps', ownerId: builder, price: perCall('1') });
      await world.putTool({ slug: 'mail', ownerId: other, price: perCall('1') });
      const hour = '2024-02-05T10:00:00Z';
      for (const [tool, calls] of [
        ['search', 4],
        ['maps', 6],
        ['mail', 30],
      ] as const)
        await world.addUsage({ consumerId: consumer, tool, hour, calls });
      await passTime(31 * 24);
    });

    const refundPart = async (part: RefundPart, more: Partial<RefundOrdered> = {}) =>
      world.useCases.refundInvoice({
        invoiceId: await invoiceId('2024-02'),
        amountCents: undefined,
        idempotencyKey: undefined,
        by: byOperator,
        part,
        ...more,
      });
    const named = (...tools: string[]): RefundPart => ({
      builderId: null,
      lines: tools.map((toolId) => ({ toolId, priceId: null, chargeIndex: null })),
    });

    async function givenBack() {
      const rows = await world.owner.query<{ line: string }>(
        `select concat_ws(' ', i.tool_id, r.charge_micros) as line from billing.refunded_line r
       join billing.invoice_line i using (invoice_id, place) order by 1`,
      );
      return rows.map(({ line }) => line);
    }

    it('takes all that one builder’s lines have left, and nothing of another', async () => {
      expect((await refundPart({ builderId: other, lines: null })).refund).toMatchObject({ amountCents: 3_000n });
      expect(await givenBack()).toEqual(['mail 30000000']);
    });

    it('takes of the named lines only, in proportion', async () => {
      await refundPart(named('search', 'maps'), { amountCents: 500n });
      expect(await givenBack()).toEqual(['maps 3000000', 'search 2000000']);
      await refundPart(named('maps'));
      expect(await givenBack()).toEqual(['maps 3000000', 'maps 3000000', 'search 2000000']);
    });

    it('is never more than its lines have left, also while another is on its way', async () => {
      await expect(refundPart(named('maps'), { amountCents: 601n })).rejects.toMatchObject({
        code: 'refund_too_large',
      });
      await world.failures.add({ on: 'refund', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
      await refundPart(named('maps'), { amountCents: 400n });
      await expect(refundPart(named('maps'), { amountCents: 201n })).rejects.toMatchObject({
        code: 'refund_too_large',
      });
      await passTime(1);
      expect(await givenBack()).toEqual(['maps 4000000']);
      expect((await refundPart(named('maps'))).refund).toMatchObject({ amountCents: 200n });
      await expect(refundPart(named('maps'))).rejects.toMatchObject({ code: 'refund_too_large' });
    });

    it('names lines that the payment released, or is refused by the name’s place', async () => {
      const errors = [expect.objectContaining({ pointer: '/lines/1', code: 'unknown' })];
      await expect(refundPart(named('maps', 'nope'))).rejects.toMatchObject({ code: 'refund_line_unknown', errors });
      const ofNobody = refundPart({ builderId: consumer, lines: null });
      await expect(ofNobody).rejects.toMatchObject({ code: 'refund_line_unknown' });
    });

    it('is the same order only with the same lines', async () => {
      const first = await refundPart(named('maps'), { amountCents: 100n, idempotencyKey: 'ticket' });
      const again = await refundPart(named('maps'), { amountCents: 100n, idempotencyKey: 'ticket' });
      expect(again).toEqual({ ...first, isReplayed: true });
      const others = refundPart(named('search'), { amountCents: 100n, idempotencyKey: 'ticket' });
      await expect(others).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    });
  });

  describe('F52 a dispute', () => {
    it('moves nothing when it is won, and counts as a refund when it is lost', async () => {
      await dispute(5_000n, 'won');
      await world.passWebhooks(random);
      expect(await owed()).toEqual({ builder_payable: '1192', platform_fees: '8' });
      await dispute(30_000n, 'lost');
      await world.passWebhooks(random);
      expect(await owed()).toEqual({ builder_payable: '900' });
      await expect(refund(90_001n)).rejects.toMatchObject({ code: 'refund_too_large' });
    });

    it('F62 F63 has one effect when ten webhooks tell of it at once', async () => {
      const lost = await dispute(30_000n, 'lost');
      await Promise.all(Array.from({ length: 10 }, () => world.followDispute(lost?.objectId ?? '')));
      expect(await owed()).toEqual({ builder_payable: '900' });
    });
  });

  describe('F45 a refund whose process dies', () => {
    it('at any statement leaves the same books, with one refund at the processor', async () => {
      let died = true;
      for (let place = 0; died; place += 1) {
        world.mortal.doom(place);
        await refund(100n, `order-${place}`).catch((error: unknown) => {
          if (!(error instanceof Died)) throw error;
        });
        died = world.mortal.revive();
        await refund(100n, `order-${place}`); // a caller that did not hear asks again
        await passTime(1); // pending refunds are looked up
        const made = await world.owner.query(
          `select m.object_id from billing.refund r join sandbox.movement m on m.kind = 'refund' and m.subject_id = r.refund_id::text
         where r.status = 'succeeded' and m.status = 'succeeded'`,
        );
        expect(made).toHaveLength(place + 1);
      }
      const orders = (await world.owner.query('select 1 from billing.refund')).length;
      expect(orders).toBeGreaterThan(20);
      const cents = 120_000n - 100n * BigInt(orders);
      const feeMicros = (cents - 100_000n) * 400n; // 4 % of what is over 1,000 USD
      expect(await owed()).toEqual({
        builder_payable: formatUsd(micros(cents * 10_000n - feeMicros)),
        platform_fees: formatUsd(micros(feeMicros)),
      });
    }, 120_000);
  });
});

describe('F224 the fee of Stripe on a refund', () => {
  /** Follows Stripe's page `api/balance_transactions/object`: the transaction of a refund has its `fee`. */
  const fixture = useStripeMoney({
    first: ({ double }) => void (double.state.platform.refundFeeCents = 25),
    calls: 3_000,
    reached: [collectionDay],
  });

  const deliver = () => fixture.deliver(fixture.double.webhooks.events);

  async function fees(): Promise<unknown> {
    return (await sumFees(fixture.owner, {})).find(({ of }) => of === 'refund_fees')?.amountMicros;
  }

  function refundByHand(): void {
    const [paymentId = ''] = fixture.double.state.paymentIntents.keys();
    fixture.double.banks.refundByHand(paymentId, 200);
  }

  it('is posted once, for one that we ordered and one that somebody made there', async () => {
    await fixture.refund(100n);
    expect(await fees()).toBe(250_000n);
    refundByHand();
    await deliver();
    await deliver();
    expect(await fees()).toBe(500_000n);
    expect(await fixture.differences()).toEqual(nothingDiffers);
    expect(await fixture.reconcile('2026-01')).toEqual([]);
  });

  it('stays if the money comes back', async () => {
    await fixture.refund(100n);
    const [refundId = ''] = fixture.double.state.refunds.keys();
    fixture.double.banks.failRefund(refundId);
    await deliver();
    expect(await fees()).toBe(250_000n);
    expect(await fixture.differences()).toEqual(nothingDiffers);
    expect(await fixture.reconcile('2026-01')).toEqual([]);
  });

  it.each<PlantedRow>([
    plant('a posting that was removed', /fee on each refund: refund-fee:.*: expected 250000, ledger 0/)`
    ${deletePostingSql('refund-fee:%')}`,
    plant('the fee of an order', /expected 240000, ledger 250000/)`
    update billing.processor_attempt set fee_cents = 24 where kind = 'refund'`,
    plant('the fee of a refund made there', /expected 260000, ledger 250000/)`
    update billing.foreign_refund_fee set fee_cents = 26`,
    plant('a fee that was removed', /every posting belongs to a document: refund-fee:/)`
    delete from billing.foreign_refund_fee`,
    plant('a fee of no refund', /nobody made it/)`
    insert into billing.foreign_refund_fee values (gen_random_uuid(), 5, now())`,
  ])('is compared by the ledger check: %s', async (...[, sql, found]) => {
    await fixture.refund(100n);
    refundByHand();
    await deliver();
    const { differences } = await planted(fixture.owner, sql, checkLedger);
    const rows = differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`));
    expect(rows).toContainEqual(expect.stringMatching(found));
  });
});
