import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { useEach } from '@tollgate/testkit/use-world';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { hearingLog } from '../support/hearing-log.ts';
import { createPayoutsFixture } from '../support/payouts-fixture.ts';

const fixture = useEach(() => createPayoutsFixture());
let ada: string;
const bob = '10000000-0000-4000-8000-000000000001';
const carol = '10000000-0000-4000-8000-000000000002';

beforeEach(async () => {
  ada = await fixture.addBuilder('a');
});

const earn = (period: string, calls: number, options: { isPaid?: boolean; consumerId?: string } = {}) =>
  fixture.earn({ period, letter: 'a', consumerId: bob, calls, ...options });

async function scriptFailure(failure: ScriptedFailureName, times = 1): Promise<void> {
  await fixture.failures.add({ on: 'transfer', failure, times, subjectId: undefined });
}

describe('a payout day', () => {
  it('pays what was collected, less the fee, a week after the month’s end', async () => {
    await earn('2026-01', 150_000); // 1,500 USD: 4 % of 500 is 20
    await fixture.runDue();
    expect(await fixture.payouts()).toEqual([]); // 2 February: not yet
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toMatchObject([
      { period: '2026-01', status: 'paid', net_cents: '148000', fee_cents: '2000' },
    ]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 148_000n }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
    expect(await fixture.balance('in_transit', ada)).toBe('0');
    expect(await fixture.balance('cash')).toBe('20000000'); // the fee is left
  });

  it('F135 transfers nothing to a builder whom the operator has suspended, until the account is resumed', async () => {
    const rows = createAuthRows(fixture.owner);
    await rows.suspend(ada);
    await earn('2026-01', 1_000);
    await fixture.reachPayoutDay('2026-01');
    fixture.clock.advance(90 * dayMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'scheduled', net_cents: '1000' }]);
    expect(await fixture.transfers()).toEqual([]);
    await rows.resume(ada);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '1000' }]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 1_000n }]);
  });

  it('F115 F135 transfers what refunds left of a payout that waited for its suspended builder', async () => {
    const rows = createAuthRows(fixture.owner);
    await rows.suspend(ada);
    await earn('2026-01', 50_000);
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 40_000n });
    await rows.resume(ada);
    await fixture.runDue();
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 10_000n }]);
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '10000' }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
  });

  it('F269 that was passed over gives each month its row, from its own earnings', async () => {
    await earn('2026-01', 150_000); // 1,500 USD: 4 % of 500 is 20
    await earn('2026-02', 2_000);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([
      { period: '2026-01', status: 'paid', net_cents: '148000', fee_cents: '2000' },
      { period: '2026-02', status: 'paid', net_cents: '1920', fee_cents: '80' },
    ]);
    const transferred = (await fixture.transfers()).map(({ amount_cents: cents }) => cents);
    expect(transferred.toSorted((a, b) => Number(a - b))).toEqual([1_920n, 148_000n]);
    const taken = `select i.period || ' by ' || p.period as line from billing.released_line r
      join billing.invoice i using (invoice_id) join billing.payout p using (payout_id) order by 1`;
    expect(await fixture.owner.query(taken)).toEqual([{ line: '2026-01 by 2026-01' }, { line: '2026-02 by 2026-02' }]);
  });

  it('F269 that comes late pays nothing of a month whose own day is to come', async () => {
    await earn('2026-01', 1_000);
    await earn('2026-02', 2_000);
    await fixture.runDue(); // 2 March
    expect(await fixture.payouts()).toMatchObject([{ period: '2026-01', status: 'paid', net_cents: '1000' }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('-20000000');
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{}, { period: '2026-02', status: 'paid', net_cents: '2000' }]);
  });

  it('F269 that was passed over, and is below a dollar, leaves its money to the next one', async () => {
    await earn('2026-01', 99);
    await earn('2026-02', 51);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ period: '2026-02', status: 'paid', net_cents: '150' }]);
  });

  it('F269 F115 tries a failed payout again without the money of a later month', async () => {
    await earn('2026-01', 1_000);
    await earn('2026-02', 2_000);
    await scriptFailure('decline');
    await fixture.runDue(); // 2 March
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 400n });
    await fixture.refund({ consumerId: bob, period: '2026-02', cents: 500n });
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ period: '2026-01', status: 'paid', net_cents: '600' }]);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{}, { period: '2026-02', status: 'paid', net_cents: '1500' }]);
  });

  it('leaves what is not collected yet to the next payout', async () => {
    await earn('2026-01', 1_000);
    await earn('2026-02', 2_000, { isPaid: false });
    await fixture.reachPayoutDay('2026-02');
    await fixture.pay(bob, '2026-02');
    await fixture.close('2026-03');
    await fixture.reachPayoutDay('2026-03');
    expect(await fixture.payouts()).toMatchObject([
      { period: '2026-01', net_cents: '1000' },
      { period: '2026-03', net_cents: '2000' },
    ]);
  });

  it('pays nothing below a dollar; the money joins the next payout', async () => {
    await earn('2026-01', 99);
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toEqual([]);
    await earn('2026-02', 51);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ period: '2026-02', status: 'paid', net_cents: '150' }]);
  });
});

describe('F53 F116 our balance at the processor is too small', () => {
  it('keeps the payout scheduled without a failure, and tries again until the balance suffices', async () => {
    await earn('2026-01', 1_000);
    await scriptFailure('insufficient_funds', 2);
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toMatchObject([{ status: 'scheduled', schedules: 1, failures: 0 }]);
    expect(await fixture.balance('in_transit', ada)).toBe('-10000000');
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'scheduled', failures: 0 }]);
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', schedules: 1, failures: 0 }]);
    expect(await fixture.transfers()).toHaveLength(1);
  });

  it('logs the missing amount once per change, and measures it', async () => {
    await fixture.addBuilder('b');
    const { log, heard } = hearingLog();
    const metrics = createMetrics({ service: 'billing' });
    const { payoutSteps } = fixture.build({ log, metrics });
    const run = async (): Promise<void> => {
      for (let done = 1; done > 0;) {
        done = 0;
        for (const step of payoutSteps) done += await step(fixture.clock.now());
      }
    };
    const lacking = () => heard('too small').map(({ payouts, missing_usd: usd }) => [payouts, usd]);
    await fixture.addUsage({ consumerId: carol, tool: 'tool-b', hour: '2026-01-01T00:00:00Z', calls: 500 });
    await earn('2026-01', 1_000);
    await fixture.pay(carol, '2026-01');
    await scriptFailure('insufficient_funds', 4);
    fixture.clock.set(Date.parse('2026-02-08T00:00:00Z'));
    await run();
    expect(lacking()).toEqual([[2, '15']]);
    expect(await metrics.registry.getSingleMetricAsString('tollgate_billing_unfunded_payouts')).toMatch(/ 2$/m);
    expect(await metrics.registry.getSingleMetricAsString('tollgate_billing_unfunded_payouts_usd')).toMatch(/ 15$/m);
    fixture.clock.advance(hourMs);
    await run();
    expect(lacking()).toHaveLength(1); // as before
    fixture.clock.advance(hourMs);
    await run();
    expect(heard('covers all payouts again')).toHaveLength(1);
    expect(await metrics.registry.getSingleMetricAsString('tollgate_billing_unfunded_payouts')).toMatch(/ 0$/m);
    expect(await fixture.transfers()).toHaveLength(2);
  });
});

describe('F117 the processor is away', () => {
  it('does not hold up payouts that need no order', async () => {
    const money = fixture.build();
    const run = async (): Promise<void> => {
      for (const step of money.payoutSteps) await step(fixture.clock.now());
    };
    const letters = ['b', 'c', 'd', 'e', 'f'];
    for (const letter of letters) {
      await fixture.addBuilder(letter);
      await fixture.addUsage({ consumerId: bob, tool: `tool-${letter}`, hour: '2026-01-01T00:00:00Z', calls: 200 });
    }
    await earn('2026-01', 1_000);
    fixture.clock.set(Date.parse('2026-02-08T00:00:00Z'));
    await fixture.owner.query(`update billing.connected_account set payouts_enabled = account_id = $1`, [ada]);
    await scriptFailure('decline');
    await run(); // Ada's is declined
    await fixture.owner.query(`update billing.connected_account set payouts_enabled = true where account_id <> $1`, [
      ada,
    ]);
    await earn('2026-02', 100); // the others are paid for both months
    fixture.clock.set(Date.parse('2026-03-08T00:00:00Z'));
    await fixture.owner.query(`update billing.payout set due_at = $1`, ['2026-03-08T00:00:01Z']);
    await scriptFailure('timeout_before_effect', 5);
    await run();
    expect(money.attempts.isProcessorAway()).toBe(true);
    fixture.clock.advance(1_000);
    await run();
    expect(money.attempts.isProcessorAway()).toBe(true);
    const [adas] = await fixture.payouts(); // the list is by builder
    expect(adas).toMatchObject({ period: '2026-01', status: 'scheduled', schedules: 2 });
  });
});

describe('F51 the account is disconnected, or may not be paid out to', () => {
  it.each([true, false])(
    'leaves the money payable until payout day finds an account: connected %s',
    async (isConnected) => {
      const dora = await fixture.addBuilder('d', { isConnected });
      const earnings = { letter: 'd', consumerId: carol };
      if (isConnected) await fixture.setAccount(dora, { enabled: false });
      await fixture.earn({ ...earnings, period: '2026-01', calls: 1_000 });
      await fixture.reachPayoutDay('2026-01');
      expect(await fixture.payouts()).toEqual([]);
      expect(await fixture.balance('builder_payable', dora)).toBe('-10000000');
      await (isConnected ? fixture.setAccount(dora, { enabled: true }) : fixture.connect(dora));
      await fixture.earn({ ...earnings, period: '2026-02', calls: 500 });
      await fixture.reachPayoutDay('2026-02');
      expect(await fixture.payouts()).toMatchObject([{ period: '2026-02', status: 'paid', net_cents: '1500' }]);
    },
  );

  it.each([
    ['disconnected', { enabled: true, disconnected: true }],
    ['not enabled any more', { enabled: false }],
  ])(
    'fails a payout whose account is %s before anything is ordered, and goes on when it is back',
    async (_what, off) => {
      await earn('2026-01', 1_000);
      await scriptFailure('insufficient_funds'); // it stays queued
      await fixture.reachPayoutDay('2026-01');
      await fixture.setAccount(ada, off);
      fixture.clock.advance(hourMs);
      await fixture.runDue();
      expect(await fixture.payouts()).toMatchObject([{ status: 'failed', schedules: 1 }]);
      expect(await fixture.balance('builder_payable', ada)).toBe('-10000000');
      expect(await fixture.balance('in_transit', ada)).toBe('0');
      fixture.clock.advance(100 * 24 * hourMs);
      await fixture.runDue();
      expect(await fixture.payouts()).toMatchObject([{ status: 'failed', schedules: 1 }]);
      await fixture.setAccount(ada, { enabled: true });
      await fixture.runDue(); // at once
      expect(await fixture.payouts()).toMatchObject([{ status: 'paid', schedules: 2, failures: 0 }]);
      expect(await fixture.transfers()).toMatchObject([{ amount_cents: 1_000n }]);
    },
  );

  it('tries again by itself where only the processor knew of it', async () => {
    await earn('2026-01', 1_000);
    await fixture.owner.query('update sandbox.account set payouts_enabled = false');
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toMatchObject([{ status: 'failed', failures: 1 }]);
    await fixture.setAccount(ada, { enabled: true });
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', schedules: 2 }]);
  });
});

describe('F50 a payout fails after it was paid', () => {
  async function payAndReverse(): Promise<void> {
    await earn('2026-01', 1_000);
    await scriptFailure('reverse_later');
    await fixture.reachPayoutDay('2026-01');
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid' }]);
    fixture.clock.advance(hourMs);
    const [{ object_id: transfer } = { object_id: '' }] = await fixture.owner.query<{ object_id: string }>(
      `select object_id from sandbox.movement where kind = 'transfer'`,
    );
    await fixture.attempts.refresh('transfer', transfer);
    await fixture.attempts.refresh('transfer', transfer); // it is reported twice
  }

  it('restores the balance by mirror entries, tries again by itself, and pays once', async () => {
    await payAndReverse();
    expect(await fixture.payouts()).toMatchObject([{ status: 'failed', failures: 1 }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('-10000000');
    expect(await fixture.balance('in_transit', ada)).toBe('0');
    expect(await fixture.balance('cash')).toBe('10000000');
    const keys = await fixture.owner.query<{ key: string }>(
      `select regexp_replace(business_key, '^payout:[^:]*:', '') as key from billing.ledger_transaction
       where business_key like 'payout:%' order by transaction_id`,
    );
    expect(keys.map(({ key }) => key)).toEqual(['scheduled:1', 'transferred:1', 'reversed:1', 'failed:1']);
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', schedules: 2, failures: 0, net_cents: '1000' }]);
    expect(await fixture.transfers()).toMatchObject([{ amount_cents: 1_000n }]); // the other one came back
    expect(await fixture.balance('cash')).toBe('0');
  });

  it('F115 pays the rest where a refund took of it meanwhile; later earnings are paid by themselves', async () => {
    await payAndReverse();
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 400n });
    fixture.clock.advance(48 * hourMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '600', schedules: 2 }]);
    await earn('2026-02', 300);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ net_cents: '600' }, { status: 'paid', net_cents: '300' }]);
    expect(await fixture.balance('builder_payable', ada)).toBe('0');
    expect(await fixture.balance('cash')).toBe('0');
  });
});

describe('refunds after a payout', () => {
  it('are taken from later earnings', async () => {
    await earn('2026-01', 1_000);
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 1_000n });
    expect(await fixture.balance('builder_payable', ada)).toBe('10000000'); // owes it
    await earn('2026-02', 1_200);
    await fixture.reachPayoutDay('2026-02');
    expect(await fixture.payouts()).toMatchObject([{ net_cents: '1000' }, { period: '2026-02', net_cents: '200' }]);
  });

  it('give the fee back, also where that makes a payout’s fee negative', async () => {
    await earn('2026-01', 200_000); // 2,000 USD: 40 of fee
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 10_000n });
    await fixture.earn({ period: '2026-02', letter: 'a', consumerId: carol, calls: 10_000 });
    await fixture.reachPayoutDay('2026-02');
    await fixture.refund({ consumerId: carol, period: '2026-02', cents: 5_000n });
    await fixture.earn({ period: '2026-03', letter: 'a', consumerId: carol, calls: 5_200 });
    await fixture.reachPayoutDay('2026-03');
    expect(await fixture.payouts()).toMatchObject([
      { net_cents: '196000', fee_cents: '4000' },
      { period: '2026-03', net_cents: '192', fee_cents: '8' },
    ]);
  });
});
