import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { useEach } from '@tollgate/testkit/use-world';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { type Database, createDatabase } from '@tollgate/database/database';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { createPayoutsFixture } from '../support/payouts-fixture.ts';
import { createPayouts } from '../../src/payouts/payouts.ts';
import { rateGrossBefore } from '../../src/usage/rate-gross-before.ts';
import { type InvoicingFixture, createInvoicingFixture, perCall } from '../support/invoicing-fixture.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { startAttempt } from '../../src/processor/attempt.ts';
import { insertAttempt } from '../../src/processor/sql-attempts.ts';
import { describeCrashes } from '../support/describe-crashes.ts';

let ada: string;
const bob = '10000000-0000-4000-8000-000000000001';

const ascending = (left: bigint, right: bigint): number => Number(left - right);

const builder = '00000000-0000-4000-8000-00000000000b';
const consumers = [1, 2, 3, 4].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);
const [first = '', second = ''] = consumers;
let api: Database;

/** Nothing is collected here, so the pending balance is the gross of all calls, from which fees of later rows start. */
async function pendingUsd(): Promise<number> {
  const clock = { now: () => Date.parse('2026-03-01T12:00:00Z') };
  const reading = { api, worker: api, processor: { name: 'sandbox' }, scope: 'lifetime', clock } as const;
  const micros = await createPayouts(reading).readPendingBalance(builder);
  const query = { builderId: builder, scope: 'lifetime', beforeMs: Date.parse('2026-03-01T00:00:00Z') } as const;
  const options = { accountId: builder, isolation: 'snapshot' } as const;
  const gross = await api.transaction((tx) => rateGrossBefore(tx, query), options);
  expect(gross).toEqual(new Map([['lifetime', micros]]));
  return Number(micros) / 1e6;
}
const callsOf = { a: 1_000, b: 150, c: 151 };

describe('failed payouts', () => {
  const fixture = useEach(() => createPayoutsFixture());

  beforeEach(async () => {
    ada = await fixture.addBuilder('a');
  });

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
      await expect(lower('net_cents = net_cents + 1, held_cents = held_cents - 1')).rejects.toThrow(
        /only lowered|check/,
      );
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
});

describe('F148 a young builder', () => {
  const fixture = useEach(() => createPayoutsFixture());

  /** Ada's first earning is collected on 2 February. */
  beforeEach(async () => {
    await fixture.addBuilder('a');
    fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 14 * dayMs, reservePercent: 10 });
  });

  async function month(period: string, calls: number): Promise<void> {
    await fixture.earn({ period, letter: 'a', consumerId: bob, calls });
    await fixture.reachPayoutDay(period);
  }

  const nets = async () => (await fixture.payouts()).map(({ period, net_cents: cents }) => `${period} ${cents}`);
  const heldCents = async () => {
    const rows = await fixture.owner.query<{ held: string }>(
      'select held_cents::text as held from billing.payout order by period',
    );
    return rows.map(({ held }) => Number(held));
  };

  it('is paid nothing before the delay, then all but the reserve, and the reserve once it is not young', async () => {
    await month('2026-01', 500);
    expect(await nets()).toEqual([]); // 6 days after its first earning
    await month('2026-02', 300);
    expect(await nets()).toEqual(['2026-02 720']); // 34 days after it: 10 % of 8.00 stays
    await month('2026-03', 200);
    expect(await nets()).toEqual(['2026-02 720', '2026-03 180']); // 10 % of 10.00 stays
    expect(await heldCents()).toEqual([80, 100]);
    await month('2026-04', 150);
    expect(await nets()).toEqual(['2026-02 720', '2026-03 180', '2026-04 250']); // 95 days after it
    expect(await heldCents()).toEqual([80, 100, 0]);
  });

  it('pays refunds from the reserve, and owes nothing', async () => {
    await month('2026-01', 500);
    await month('2026-02', 500);
    await fixture.refund({ consumerId: bob, period: '2026-02', cents: 100n });
    expect(await nets()).toEqual(['2026-02 900']);
    await month('2026-05', 100); // the payout days of March and April come with it
    expect(await nets()).toEqual(['2026-02 900', '2026-05 100']);
  });

  it('gets a payout that failed as it was, with the same reserve', async () => {
    await month('2026-01', 500);
    await fixture.failures.add({ on: 'transfer', failure: 'decline', times: 1, subjectId: undefined });
    await month('2026-02', 500);
    fixture.clock.advance(dayMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '900', schedules: 2 }]);
    expect(await heldCents()).toEqual([100]);
  });

  it('gets the rest of a payout that failed before a reserve was asked for', async () => {
    fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 0, reservePercent: 0 });
    await fixture.failures.add({ on: 'transfer', failure: 'decline', times: 1, subjectId: undefined });
    await month('2026-01', 500);
    fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 0, reservePercent: 10 });
    fixture.clock.advance(dayMs);
    await fixture.runDue();
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid', net_cents: '450', schedules: 2 }]);
    expect(await heldCents()).toEqual([50]);
  });
});

describe('pending balance', () => {
  let fixture: InvoicingFixture;

  beforeEach(async () => {
    fixture = await createInvoicingFixture();
    api = createDatabase({ url: fixture.database.urlFor('billing_api'), name: 'pending-balance', log });
    await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('1') });
  });
  afterEach(async () => {
    await api.stop();
    await fixture.drop();
  });

  const use = (consumerId: string, hour: string, calls: number) =>
    fixture.addUsage({ consumerId, tool: 'search', hour, calls });
  const stopInserts = (table: string) =>
    fixture.owner.query(
      `create trigger stops before insert on billing.${table} execute function billing.refuse_change()`,
    );
  const allowInserts = (table: string) => fixture.owner.query(`drop trigger stops on billing.${table}`);

  it('has calls that are counted late for a closed month at once, and no other money after the close that bills them', async () => {
    await use(first, '2026-01-05T00:00:00Z', 100);
    await fixture.close('2026-01');
    expect(await pendingUsd()).toBe(100);
    await use(first, '2026-01-06T00:00:00Z', 20);
    await use(second, '2026-01-06T00:00:00Z', 3);
    expect(await pendingUsd()).toBe(123);
    await fixture.close('2026-02');
    expect(await pendingUsd()).toBe(123);
  });

  it('has calls of a consumer whose invoice could not be made', async () => {
    await use(first, '2026-01-05T00:00:00Z', 100);
    await stopInserts('invoice');
    await fixture.close('2026-01');
    await allowInserts('invoice');
    await use(first, '2026-02-05T00:00:00Z', 10);
    expect(await pendingUsd()).toBe(110);
    await fixture.close('2026-02');
    expect(await pendingUsd()).toBe(110);
  });

  it('stays the same while a close has stored its invoices and not closed the month yet', async () => {
    for (const consumer of consumers) await use(consumer, '2026-01-05T00:00:00Z', 100);
    await fixture.close('2026-01');
    for (const consumer of consumers) await use(consumer, '2026-02-05T00:00:00Z', 10);
    await use(first, '2026-01-06T00:00:00Z', 3);
    expect(await pendingUsd()).toBe(443);
    await stopInserts('closed_period');
    await expect(fixture.close('2026-02')).rejects.toThrow('closed_period is append-only');
    expect(await pendingUsd()).toBe(443);
    await allowInserts('closed_period');
    await fixture.close('2026-02');
    expect(await pendingUsd()).toBe(443);
  });
});

describe('payout crashes', () => {
  const fixture = useEach(() => createPayoutsFixture());

  /** Bob's January is paid, and the payout day of three builders has come. */
  beforeEach(async () => {
    fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 0, reservePercent: 10 }); // so each payout holds some
    for (const [letter, calls] of Object.entries(callsOf)) {
      await fixture.addBuilder(letter);
      await fixture.addUsage({ consumerId: bob, tool: `tool-${letter}`, hour: '2026-01-05T00:00:00Z', calls });
    }
    await startAnew();
    fixture.clock.set(Date.parse('2026-02-08T00:00:00Z'));
  });

  async function startAnew(): Promise<void> {
    await fixture.forgetMoney();
    await fixture.close('2026-01');
    await fixture.pay(bob, '2026-01');
  }

  async function books(): Promise<unknown> {
    const texts = [
      `select business_key, kind, owner_id, amount_micros from billing.ledger_transaction
     join billing.ledger_entry using (transaction_id) join billing.ledger_account using (ledger_account_id)
     where business_key like 'payout:%' order by 1, 2, 3`,
      'select builder_id, payout_id from billing.released_line order by 1, 2',
      'select period from billing.payout_day',
      'select payout_id, period, status, net_cents, held_cents, fee_cents, schedules, failures from billing.payout order by 1',
      `select subject_id, attempt_id, amount_cents::text, status from sandbox.movement order by 1, 2`,
    ];
    return Promise.all(texts.map((text) => fixture.owner.query(text)));
  }

  describeCrashes('a payout day', {
    worker: () => fixture.worker,
    startAnew,
    run: (database) => fixture.runDue(database),
    async goOn() {
      fixture.clock.advance(60_000);
      await fixture.runDue();
    },
    books,
    statementsMin: 50,
    commitsMin: 5,
  });

  it('F45 payout days at once transfer to each builder once', async () => {
    await fixture.runDue();
    const undisturbed = await books();
    for (let round = 0; round < 5; round += 1) {
      await startAnew();
      await Promise.all([1, 2, 3].map(() => fixture.runDue()));
      expect(await books()).toEqual(undisturbed);
    }
    const transfers = (await fixture.transfers()).map(({ amount_cents: cents }) => Number(cents));
    expect(transfers.toSorted((a, b) => a - b)).toEqual([135, 135, 900]);
  }, 60_000);

  describe('F45 one transfer at a time, for each of the two guards alone', () => {
    it('looks for an unsettled attempt under the lock of the payout, without the index of the database', async () => {
      await fixture.owner.query('drop index billing.attempt_unsettled');
      for (let round = 0; round < 5; round += 1) {
        await startAnew();
        await Promise.all([1, 2, 3].map(() => fixture.runDue()));
        const cents = (await fixture.transfers()).map(({ amount_cents: amount }) => Number(amount));
        expect(cents.toSorted((a, b) => a - b)).toEqual([135, 135, 900]);
        expect(await attempts()).toEqual([1, 1, 1]);
      }
    }, 60_000);

    it('refuses a second unsettled attempt in the database, whoever orders it', async () => {
      await startAnew(); // at today's clock
      const subjectId = '20000000-0000-4000-8000-000000000001';
      const order = { kind: 'transfer', subjectId, amountCents: 100n, partyId: 'account' } as const;
      const both = fixture.worker.transaction(async (tx) => {
        for (const number of [1, 2])
          await insertAttempt(tx, startAttempt({ ...order, number }, 0), { processor: 'sandbox', lookAtMs: 0 });
      });
      await expect(both).rejects.toThrow('attempt_unsettled');
    });

    /** How many transfers each payout had. */
    async function attempts(): Promise<number[]> {
      const count = `select count(*)::int as attempts from billing.processor_attempt where kind = 'transfer' group by subject_id`;
      return (await fixture.owner.query<{ attempts: number }>(count)).map(({ attempts: each }) => each);
    }
  });
});
