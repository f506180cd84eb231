import { byOperator } from '../support/by-operator.ts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { onlyRow } from '@tollgate/database/database';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { listStrayMoney } from '../../src/refunds/sql-stray-money.ts';
import { createFollowDispute } from '../../src/refunds/follow-dispute.ts';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import { CallRefused, type Movement, type Processor } from '../../src/processor/processor.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { silentLog as log } from '../support/silent-log.ts';

const paid = { cash: '9.41', processor_fees: '0.59', 'builder_payable e': '-10' };

const fixture = useCollection({ uses: { [ada]: 10 }, cards: { [ada]: 'visa' } });

/** The day on which January is collected: the charge meets this failure. */
async function collectWith(failure: ScriptedFailureName): Promise<void> {
  await fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });
  await fixture.reach('2026-02-02T00:00:00Z');
}

const movedAtProcessor = async () =>
  (await fixture.owner.query(`select 1 from sandbox.movement where status = 'succeeded'`)).length;

/** The object at the processor of the first charge that was ordered. */
async function firstCharge(): Promise<string> {
  const text = `select m.object_id as id from sandbox.movement m
    join billing.processor_attempt a on m.attempt_id = a.attempt_id::text where a.number = 1`;
  return onlyRow(await fixture.owner.query<{ id: string }>(text)).id;
}

async function tellOfCharge(times: number): Promise<void> {
  const id = await firstCharge();
  await Promise.all(Array.from({ length: times }, () => fixture.attempts.refresh('charge', id)));
}

describe('a charge with an unknown outcome', () => {
  it('F56 is found at the processor after its answer was lost, so the consumer pays once', async () => {
    await collectWith('timeout_after_effect');
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    expect(await fixture.charges()).toEqual(['2026-01 1 unknown 1000']);
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
    expect(await fixture.balances()).toEqual(paid);
    expect(await movedAtProcessor()).toBe(1);
  });

  it('stops every other charge of the invoice, also with a new payment method', async () => {
    await collectWith('timeout_after_effect');
    await fixture.putCard(ada, 'mastercard');
    await fixture.runDue();
    expect(await fixture.charges()).toEqual(['2026-01 1 unknown 1000']);
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await movedAtProcessor()).toBe(1);
  });

  it('that proves declined is followed at once by a charge of the new payment method', async () => {
    await fixture.putCard(ada, 'declined');
    await collectWith('timeout_after_effect');
    await fixture.putCard(ada, 'visa');
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 failed 1000 declined', '2026-01 2 succeeded 1000']);
  });

  it('is settled once when five webhooks arrive at once', async () => {
    await collectWith('timeout_after_effect');
    await tellOfCharge(5);
    expect(await fixture.balances()).toEqual(paid);
  });

  it('F60 is never given blindly once its key may be forgotten: what is there is found', async () => {
    await collectWith('timeout_after_effect');
    await forgetKeys();
    await fixture.reach('2026-02-03T01:00:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
    expect(await movedAtProcessor()).toBe(1);
  });

  it('F60 counts as never made when its key may be forgotten and the processor has no charge; then another is ordered', async () => {
    await collectWith('timeout_before_effect');
    await forgetKeys();
    fixture.clock.advance(25 * 3_600_000);
    await fixture.runDue({ callMsMax: 0 });
    expect(await fixture.charges()).toEqual(['2026-01 1 failed 1000 never_made', '2026-01 2 succeeded 1000']);
    expect(await movedAtProcessor()).toBe(1);
  });

  it('F60 is ordered again with its own key only, while its first call may still be on its way', async () => {
    await collectWith('timeout_before_effect');
    fixture.clock.advance(25 * 3_600_000);
    await fixture.runDue({ callMsMax: 3_600_000 });
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
  });

  describe('of which the processor has another amount', () => {
    const { log, heard } = hearingLog();
    const metrics = createMetrics({ service: 'billing' });
    const counted = () => metrics.registry.getSingleMetricAsString('tollgate_billing_attempts_of_other_amount');
    let calls = 0;

    /** Says a cent more than it charged. */
    function lying(): Processor {
      const { charges, ...rest } = fixture.processor;
      const plusOne = <Moved extends Movement>(movement: Moved) => {
        calls += 1;
        return { ...movement, amountCents: movement.amountCents + 1n };
      };
      const findAll: typeof charges.findAll = async (order) => (await charges.findAll(order)).map(plusOne);
      const create: typeof charges.create = async (order) => plusOne(await charges.create(order));
      const read: typeof charges.read = async (id) => plusOne(await charges.read(id));
      return { ...rest, charges: { ...charges, findAll, create, read } };
    }

    it('F61 F118 stays unknown: one alarm and a metric, and no call each minute, until the amount is right', async () => {
      const processor = lying();
      fixture.clock.set(Date.parse('2026-02-02T00:00:01Z')); // the close's own time
      await fixture.close('2026-01');
      for (let minute = 0; minute < 5; minute += 1) {
        await fixture.runDue({ processor, log, metrics });
        fixture.clock.advance(60_000);
      }
      expect(await fixture.charges()).toEqual(['2026-01 1 unknown 1000']);
      expect(await fixture.balances()).toEqual({ 'receivable a': '10', 'builder_earned e': '-10' });
      expect(calls).toBe(1);
      const webhook = fixture.build({ processor, log }).attempts.refresh('charge', await firstCharge());
      await expect(webhook).resolves.toBeUndefined(); // it is applied, and not tried again
      expect(heard('another amount')).toMatchObject([{ ordered_cents: '1000', moved_cents: '1001', kind: 'charge' }]);
      expect(heard('unknown')).toEqual([]);
      expect(await counted()).toMatch(/ 1$/m);
      fixture.clock.advance(24 * 3_600_000);
      await fixture.runDue({ log, metrics });
      expect(await fixture.balances()).toEqual(paid);
      await fixture.runDue({ log, metrics });
      expect(await counted()).toMatch(/ 0$/m);
    });
  });

  it.each([
    ['refuses the call itself', new CallRefused('Stripe refuses POST /v1/charges', {})],
    ['has used the key for something else', new AppError('idempotency_key_reused', 'This key was used.')],
  ])('is not logged as unknown when the processor %s: nothing has moved', async (_what, refusal) => {
    const { log, heard } = hearingLog();
    const { charges, ...rest } = fixture.processor;
    const processor = { ...rest, charges: { ...charges, create: () => Promise.reject(refusal) } };
    fixture.clock.set(Date.parse('2026-02-02T00:00:01Z'));
    await fixture.close('2026-01');
    await fixture.runDue({ processor, log });
    fixture.clock.advance(60_000);
    await fixture.runDue({ processor, log });
    expect(heard('no money moved')).toHaveLength(1);
    expect(heard('unknown')).toEqual([]);
    fixture.clock.advance(600_000);
    await fixture.runDue({ log });
    expect(await fixture.balances()).toEqual(paid);
  });

  /** As the processor does after a day. */
  async function forgetKeys(): Promise<void> {
    await fixture.owner.query(`update sandbox.movement set idempotency_key = 'forgotten:' || object_id`);
  }
});

describe('a charge that succeeds after all', () => {
  beforeEach(async () => {
    await fixture.putCard(ada, 'declined');
    await fixture.reach('2026-02-02T00:00:00Z');
  });

  async function succeedLate(): Promise<void> {
    await fixture.owner.query(
      `update sandbox.movement set status = 'succeeded', failure_code = null, fee_cents = 59 where status = 'failed'`,
    );
    await tellOfCharge(2);
  }

  it.each([
    ['is still owed', '2026-02-02T00:00:00Z'],
    ['was written off', '2026-06-01T00:00:00Z'],
  ])('pays what %s', async (_what, time) => {
    await fixture.reach(time);
    await succeedLate();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await fixture.balances()).toEqual(paid);
  });

  it('F52 is kept as rounding when another charge has paid; a lost dispute of it costs no builder anything', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    await succeedLate();
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000', '2026-01 2 succeeded 1000']);
    const both = { 'builder_payable e': '-10', cash: '18.82', processor_fees: '1.18', rounding: '-10' };
    expect(await fixture.balances()).toEqual(both);
    await loseDispute(await firstCharge());
    expect(await fixture.balances()).toEqual({ 'builder_payable e': '-10', cash: '8.82', processor_fees: '1.18' });
  });

  async function loseDispute(chargeObjectId: string): Promise<void> {
    const { worker: database, clock, processor } = fixture;
    const money = { amountCents: 1_000n, takenCents: 1_000n, feeCents: 0n };
    const lost = { objectId: 'dp_1', chargeObjectId, ...money, status: 'lost', createdAtMs: 0 } as const;
    const disputes = { ...processor.disputes, read: async () => lost };
    await createFollowDispute({ database, clock, log, processor: { ...processor, disputes } })('dp_1');
  }

  it('F171 is given back by the operator, once and as a whole, and no invoice or builder gives anything', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    await succeedLate();
    const [stray] = await listStrayMoney(fixture.worker);
    expect(stray).toMatchObject({ kind: 'charge', consumerId: ada, amountCents: 1_000n, leftCents: 1_000n });
    const order = { attemptId: stray?.attemptId ?? '', by: byOperator };
    const refund = await fixture.returnStrayMoney(order);
    expect(refund).toMatchObject({ status: 'succeeded', amountCents: 1_000n, strayAttemptId: stray?.attemptId });
    await expect(fixture.returnStrayMoney(order)).rejects.toMatchObject({ code: 'nothing_stray' });
    expect(await listStrayMoney(fixture.worker)).toMatchObject([{ leftCents: 0n }]);
    expect(await fixture.balances()).toEqual({ 'builder_payable e': '-10', cash: '8.82', processor_fees: '1.18' });
    expect(await fixture.acts()).toContainEqual(expect.stringMatching(/^stray_money.returned /));
    const { worker: database, processor } = fixture;
    const { steps } = await createReconcile({ database, processor })({ period: '2026-01', accountId: undefined });
    const ofMoney = steps.filter(({ name }) => ['lines_ledger', 'ledger_processor', 'cash_balance'].includes(name));
    expect(ofMoney.flatMap(({ rows }) => rows)).toEqual([]);
  });

  it('F171 does not lower what its invoice has left', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    await succeedLate();
    const [stray] = await listStrayMoney(fixture.worker);
    await fixture.returnStrayMoney({ attemptId: stray?.attemptId ?? '', by: byOperator });
    const invoiceId = await fixture.invoiceId(ada, '2026-01');
    const all = { invoiceId, amountCents: 1_000n, idempotencyKey: undefined, by: byOperator };
    expect((await fixture.refundInvoice(all)).refund).toMatchObject({ status: 'succeeded' });
    expect(await fixture.balances()).toEqual({ cash: '-1.18', processor_fees: '1.18' });
  });

  it('F171 and a refund that its bank returned is given back again', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    const invoiceId = await fixture.invoiceId(ada, '2026-01');
    await fixture.failures.add({ on: 'refund', failure: 'reverse_later', times: 1, subjectId: undefined });
    const order = { invoiceId, amountCents: 400n, idempotencyKey: undefined, by: byOperator };
    const { refund } = await fixture.refundInvoice(order);
    fixture.clock.advance(3_600_000);
    const text = `select object_id as id from billing.processor_attempt where kind = 'refund' and subject_id = $1`;
    const { id } = onlyRow(await fixture.owner.query<{ id: string }>(text, [refund.id]));
    await fixture.money.refresh.refund(id);
    const [stray] = await listStrayMoney(fixture.worker);
    expect(stray).toMatchObject({ kind: 'returned_refund', leftCents: 400n });
    const again = await fixture.returnStrayMoney({ attemptId: stray?.attemptId ?? '', by: byOperator });
    expect(again).toMatchObject({ status: 'succeeded', amountCents: 400n });
    expect(await fixture.balances()).not.toHaveProperty('rounding');
  });

  it('is kept as rounding when the invoice is void, until the processor reverses it', async () => {
    await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'), byOperator);
    await succeedLate();
    expect(await fixture.balances()).toEqual({ cash: '9.41', processor_fees: '0.59', rounding: '-10' });
    const now = new Date(fixture.clock.now());
    await fixture.owner.query(`update sandbox.movement set reverses_at = $1 where kind = 'charge'`, [now]);
    await tellOfCharge(1);
    expect(await fixture.balances()).toEqual({ cash: '-0.59', processor_fees: '0.59' });
  });
});
