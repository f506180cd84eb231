import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createFollowDispute } from '../../src/refunds/follow-dispute.ts';
import type { Processor } from '../../src/processor/processor.ts';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import { createCollectionFixture, type CollectionFixture } from '../support/collection-fixture.ts';
import { perCall } from '../support/invoicing-fixture.ts';

const ada = 'a0000000-0000-4000-8000-000000000000';
const xenia = 'e0000000-0000-4000-8000-000000000000';
const paid = { cash: '9.41', processor_fees: '0.59', 'builder_payable e': '-10' };

let fixture: CollectionFixture;

beforeEach(async () => {
  fixture = await createCollectionFixture();
  await fixture.putTool({ slug: 'search', ownerId: xenia, price: perCall('1') });
  await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 10 });
  await fixture.putCard(ada, 'visa');
});

afterEach(async () => {
  await fixture.proveLedger();
  await fixture.drop();
});

const script = (failure: ScriptedFailureName) =>
  fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });

async function atProcessor(): Promise<number> {
  return (await fixture.owner.query(`select 1 from sandbox.movement where status = 'succeeded'`)).length;
}

function chargingBy(change: (charges: Processor['charges']) => Partial<Processor['charges']>): Processor {
  const { processor } = fixture;
  return { ...processor, charges: { ...processor.charges, ...change(processor.charges) } };
}

describe('a charge whose outcome is unknown', () => {
  it('F56 is found at the processor when the answer was lost: charged once', async () => {
    await script('timeout_after_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    expect(await fixture.charges()).toEqual(['2026-01 1 unknown 1000']);
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
    expect(await fixture.balances()).toEqual(paid);
    expect(await atProcessor()).toBe(1);
  });

  it('F57 is looked up, and ordered again with its key when nothing is there', async () => {
    await script('timeout_before_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await atProcessor()).toBe(0);
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
    expect(await atProcessor()).toBe(1);
  });

  it('holds back every other try, also with a new payment method', async () => {
    await script('timeout_after_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.putCard(ada, 'mastercard');
    await fixture.runDue();
    expect(await fixture.charges()).toEqual(['2026-01 1 unknown 1000']);
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await atProcessor()).toBe(1);
  });

  it('is tried at once with the payment method that came meanwhile, if it turns out declined', async () => {
    await fixture.putCard(ada, 'declined');
    await script('timeout_after_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.putCard(ada, 'visa');
    await fixture.reach('2026-02-02T00:01:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 failed 1000 declined', '2026-01 2 succeeded 1000']);
  });

  it('is settled by the webhook that comes first', async () => {
    await script('timeout_after_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    const [charge] = await fixture.owner.query<{ object_id: string }>('select object_id from sandbox.movement');
    const told = Array.from({ length: 5 }, () => fixture.attempts.refresh('charge', charge?.object_id ?? ''));
    await Promise.all(told);
    expect(await fixture.balances()).toEqual(paid);
  });

  it('F60 is never given blindly once its key may be forgotten: what is there is found', async () => {
    await script('timeout_after_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    await forgetKeys();
    await fixture.reach('2026-02-03T01:00:00Z');
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
    expect(await atProcessor()).toBe(1);
  });

  it('F60 has never arrived when its key may be forgotten and nothing is there: another order is given', async () => {
    await script('timeout_before_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    await forgetKeys();
    fixture.clock.advance(25 * 3_600_000);
    await fixture.runDue({ callMsMax: 0 });
    expect(await fixture.charges()).toEqual(['2026-01 1 failed 1000 never_made', '2026-01 2 succeeded 1000']);
    expect(await atProcessor()).toBe(1);
  });

  it('F60 whose first call may still be on its way is given again with its own key only', async () => {
    await script('timeout_before_effect');
    await fixture.reach('2026-02-02T00:00:00Z');
    fixture.clock.advance(25 * 3_600_000);
    await fixture.runDue({ callMsMax: 3_600_000 });
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
  });

  it('F61 of which the processor tells another amount is not believed', async () => {
    const lying = chargingBy((charges) => ({
      create: async (order) => ({ ...(await charges.create(order)), amountCents: order.amountCents + 1n }),
    }));
    fixture.clock.set(Date.parse('2026-02-02T00:00:01Z')); // the close's own time
    await fixture.close('2026-01');
    await fixture.runDue({ processor: lying });
    expect(await fixture.charges()).toEqual(['2026-01 1 unknown 1000']);
    expect(await fixture.balances()).toEqual({ 'receivable a': '10', 'builder_earned e': '-10' });
    fixture.clock.advance(60_000);
    await fixture.runDue();
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
    const [charge] = await fixture.owner.query<{ object_id: string }>(
      `update sandbox.movement set status = 'succeeded', failure_code = null, fee_cents = 59
       where status = 'failed' returning object_id`,
    );
    await fixture.attempts.refresh('charge', charge?.object_id ?? '');
    await fixture.attempts.refresh('charge', charge?.object_id ?? '');
  }

  it('pays what is still owed', async () => {
    await succeedLate();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await fixture.balances()).toEqual(paid);
  });

  it('pays what was written off', async () => {
    await fixture.reach('2026-06-01T00:00:00Z');
    expect(await fixture.balances()).toEqual({});
    await succeedLate();
    expect(await fixture.balances()).toEqual(paid);
  });

  it('is kept in view when another charge has paid', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    await succeedLate();
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000', '2026-01 2 succeeded 1000']);
    expect(await fixture.balances()).toEqual({
      'builder_payable e': '-10',
      cash: '18.82',
      processor_fees: '1.18',
      rounding: '-10',
    });
  });

  it('F52 and is disputed then, takes back of nobody what the other one paid', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    await succeedLate();
    const [stray] = await fixture.owner.query<{ object_id: string }>(
      `select object_id from billing.processor_attempt where number = 1`,
    );
    await loseDispute(stray?.object_id ?? '');
    expect(await fixture.balances()).toEqual({ 'builder_payable e': '-10', cash: '8.82', processor_fees: '1.18' });
  });

  async function loseDispute(chargeObjectId: string): Promise<void> {
    const { worker: database, clock, processor } = fixture;
    const lost = { objectId: 'dp_1', chargeObjectId, amountCents: 1_000n, status: 'lost', createdAtMs: 0 } as const;
    const disputes = { ...processor.disputes, read: async () => lost };
    const log = createLogger({ name: 'disputes-test', level: 'silent' });
    await createFollowDispute({ database, clock, log, processor: { ...processor, disputes } })('dp_1');
  }

  it('is kept in view when the invoice is void, until its money went back', async () => {
    await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'));
    await succeedLate();
    expect(await fixture.balances()).toEqual({ cash: '9.41', processor_fees: '0.59', rounding: '-10' });
    const [charge] = await fixture.owner.query<{ object_id: string }>(
      `update sandbox.movement set reverses_at = $1 where kind = 'charge' returning object_id`,
      [new Date(fixture.clock.now())],
    );
    await fixture.attempts.refresh('charge', charge?.object_id ?? '');
    expect(await fixture.balances()).toEqual({ cash: '-0.59', processor_fees: '0.59' });
  });
});
