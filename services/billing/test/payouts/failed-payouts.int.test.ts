import { hourMs } from '@tollgate/kernel/durations';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import { isLockAwaited } from '../support/is-lock-awaited.ts';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';

let fixture: PayoutsFixture;
let ada: string;
const bob = '10000000-0000-4000-8000-000000000001';

beforeEach(async () => {
  fixture = await createPayoutsFixture();
  ada = await fixture.addBuilder('a');
});

afterEach(() => fixture.drop());

const ascending = (left: bigint, right: bigint): number => Number(left - right);

const earn = (period: string, calls: number) => fixture.earn({ period, letter: 'a', consumerId: bob, calls });

async function scriptFailure(failure: ScriptedFailureName, times = 1): Promise<void> {
  await fixture.failures.add({ on: 'transfer', failure, times, subjectId: undefined });
}

describe('a failed payout', () => {
  it('keeps its money: a later payout takes only later earnings', async () => {
    await earn('2026-01', 500);
    await scriptFailure('decline', 99);
    await fixture.reachPayoutDay('2026-01');
    await earn('2026-02', 300);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([
      { status: 'failed', net_cents: '500' },
      { status: 'failed', net_cents: '300' },
    ]);
    await fixture.failures.clear();
    fixture.clock.advance(24 * hourMs);
    await fixture.runDue();
    expect((await fixture.transfers()).map(({ amount_cents: cents }) => cents).toSorted(ascending)).toEqual([
      300n,
      500n,
    ]);
  });
});

describe('F115 a refund takes of a failed payout', () => {
  const day = async (): Promise<void> => {
    fixture.clock.advance(24 * hourMs);
    await fixture.runDue();
  };

  /** January is declined, and this much of it is refunded. */
  async function declineAndRefund(calls: number, cents: bigint): Promise<void> {
    await earn('2026-01', calls);
    await scriptFailure('decline');
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents });
  }

  it('leaves the rest payable at the next try: 500 USD declined, one cent refunded, 499.99 paid under a key of its own', async () => {
    await declineAndRefund(50_000, 1n);
    await day();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '49999', schedules: 2 }]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 49_999n }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
    const attempts = await fixture.owner.query<{ idempotency_key: string }>(
      `select idempotency_key from billing.processor_attempt where kind = 'transfer' order by number`,
    );
    expect(attempts.map(({ idempotency_key: key }) => key.split(':').slice(3, 5))).toEqual([
      ['1', '50000'],
      ['2', '49999'],
    ]);
  });

  it('leaves later payouts what they earned, less the refund', async () => {
    await declineAndRefund(50_000, 1n);
    await day();
    await earn('2026-02', 1_000);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ net_cents: '49999' }, { status: 'paid', net_cents: '1000' }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
  });

  it('F269 leaves less than the minimum: it waits until a payout day brings enough', async () => {
    await declineAndRefund(1_000, 950n);
    await day();
    expect(await fixture.payouts()).toMatchObject([{ status: 'failed', net_cents: '1000' }]);
    await earn('2026-02', 60);
    await day();
    expect(await fixture.payouts()).toMatchObject([{ status: 'failed', net_cents: '1000' }]);
    await fixture.reachPayoutDay('2026-02');
    await day();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '110' }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
  });

  it('takes more than one of two failed payouts has: all that is payable leaves', async () => {
    await earn('2026-01', 500);
    await scriptFailure('decline', 9);
    await fixture.reachPayoutDay('2026-01');
    await earn('2026-02', 300);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 500n });
    await fixture.refund({ consumerId: bob, period: '2026-02', cents: 100n });
    await fixture.failures.clear();
    await day();
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
    expect((await fixture.transfers()).map(({ amount_cents: cents }) => cents)).toEqual([200n]);
  });

  it('never lowers a payout whose transfer may have arrived: it keeps its amount and its key', async () => {
    await earn('2026-01', 1_000);
    await scriptFailure('timeout_after_effect');
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 400n });
    await day();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '1000' }]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 1_000n }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('4000000'); // owes it
  });

  it('is refused by the database while a transfer may be on its way', async () => {
    await earn('2026-01', 1_000);
    await scriptFailure('timeout_before_effect');
    await fixture.reachPayoutDay('2026-01');
    const lower = (text: string) => fixture.worker.query(`update billing.payout set ${text}`);
    const lowered = 'net_cents = net_cents - 1, held_cents = held_cents + 1';
    await expect(lower(lowered)).rejects.toThrow(/may be on its way/);
    await scriptFailure('decline');
    await day();
    await expect(lower('net_cents = net_cents - 1')).rejects.toThrow(/only lowered/);
    await expect(lower('net_cents = net_cents + 1, held_cents = held_cents - 1')).rejects.toThrow(/only lowered|check/);
  });
});

describe('F119 a transfer that counted as refused arrives after its payout was lowered', () => {
  it('pays the payout; what it moved beyond is the builder’s debt, and the ledger check names it', async () => {
    await earn('2026-01', 1_000);
    await scriptFailure('decline', 2);
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 400n });
    fixture.clock.advance(24 * hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'failed', net_cents: '600' }]);
    const [{ object_id: first } = { object_id: '' }] = await fixture.owner.query<{ object_id: string }>(
      `update sandbox.movement set status = 'succeeded', failure_code = null
       where kind = 'transfer' and amount_cents = 1000 returning object_id`,
    );
    await fixture.attempts.refresh('transfer', first);
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '600' }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('4000000'); // owes it
    expect(await fixture.balance('cash')).toBe('-4000000');
    const { differences } = await checkLedger(fixture.worker);
    expect(differences.map(({ check }) => check)).toEqual(['each transfer belongs to a payout and has its amount']);
    await fixture.owner.query('update sandbox.movement set reverses_at = $1 where object_id = $2', [
      new Date(fixture.clock.now()),
      first,
    ]);
    await fixture.attempts.refresh('transfer', first);
    fixture.clock.advance(24 * hourMs);
    await fixture.runDue();
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 600n }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
  });
});

describe('a refund at the moment in which a failed payout is tried again', () => {
  it('comes first and leaves less: the payout is lowered by it', async () => {
    await earn('2026-01', 1_000);
    await scriptFailure('decline');
    await fixture.reachPayoutDay('2026-01');
    fixture.clock.advance(2 * hourMs);
    let retrying: Promise<void> | undefined;
    await fixture.worker.transaction(async (tx) => {
      await fixture.refundIn(tx, { consumerId: bob, period: '2026-01', cents: 1n });
      retrying = fixture.runDue();
      await eventually(() => isLockAwaited(fixture.owner), { withinMs: 5_000 });
    });
    await retrying;
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '999' }]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 999n }]);
  });
});

describe('a payout that has failed for more than 7 days', () => {
  it('is counted while its builder is owed money, from its first failure on', async () => {
    const metrics = createMetrics({ service: 'billing' });
    const observed = async (): Promise<string> => {
      for (const step of fixture.build({ metrics }).payoutSteps) await step(fixture.clock.now());
      return metrics.registry.getSingleMetricAsString('tollgate_billing_failing_payouts');
    };
    await earn('2026-01', 1_000);
    await scriptFailure('decline', 99);
    await fixture.reachPayoutDay('2026-01');
    fixture.clock.advance(4 * 24 * hourMs);
    await fixture.runDue();
    expect(await observed()).toMatch(/ 0$/m);
    fixture.clock.advance(4 * 24 * hourMs);
    await fixture.runDue();
    expect(await observed()).toMatch(/ 1$/m);
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 1_000n });
    expect(await observed()).toMatch(/ 0$/m);
  });
});
