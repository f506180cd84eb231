import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { dayMs } from '@tollgate/kernel/durations';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { createObserveMoney } from '../../src/operate/observe-money.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { useDatabase } from '../support/use-database.ts';
import { readOldestDueWork } from '../../src/operate/sql-money-figures.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { payoutSettings } from '../support/wire-money.ts';

const now = '2026-05-02T00:00:00Z';

const attemptText = `insert into billing.processor_attempt
  (attempt_id, kind, subject_id, number, processor, idempotency_key, amount_cents, party_id, status, object_id, started_at,
   look_at, settled_at)
  select gen_random_uuid(), $1, gen_random_uuid(), 1, $5, gen_random_uuid()::text, 100, 'party', $2,
    case when $2 = 'succeeded' then gen_random_uuid()::text end, $3, $3, $4`;

const closed = Date.parse('2026-02-02T00:00:01Z');

const nothing = { charge: null, transfer: null, past_due: null, payout_day: null };

describe('observe money', () => {
  const db = useDatabase();
  const putAttempt = (kind: string, status: string, startedAt: string, processor = 'sandbox') =>
    db.owner.query(attemptText, [kind, status, startedAt, status === 'unknown' ? null : startedAt, processor]);
  const putWebhook = (id: string, receivedAt: string, appliedAt: string | null) =>
    db.owner.query(
      `insert into billing.webhook_event (processor, event_id, type, object_kind, object_id, created_at, received_at, applied_at)
     values ('sandbox', $1, 'account.updated', 'account', 'acct', $2, $2, $3)`,
      [id, receivedAt, appliedAt],
    );

  it('shows what waits between the books and the processor, and for how long', async () => {
    await putAttempt('charge', 'unknown', '2026-05-01T23:00:00Z');
    await putAttempt('transfer', 'unknown', '2026-05-01T23:30:00Z');
    await putAttempt('charge', 'unknown', '2026-05-01T00:00:00Z', 'stripe'); // another processor's
    await putAttempt('charge', 'failed', '2026-05-01T01:00:00Z');
    await putAttempt('charge', 'failed', '2026-04-30T23:00:00Z'); // more than a day ago
    await putAttempt('transfer', 'failed', '2026-05-01T01:00:00Z');
    await putAttempt('charge', 'succeeded', '2026-05-01T02:00:00Z');
    await putWebhook('applied', '2026-05-01T00:00:00Z', now);
    await putWebhook('waiting', '2026-05-01T23:59:00Z', null);
    await db.owner.query(
      `insert into billing.processor_sweep (processor, due_at, swept_at) values ('sandbox', $1, $2)`,
      [now, '2026-05-01T12:00:00Z'],
    );
    await putWatermark(db.owner, '2026-05-01T23:58:00Z');

    const metrics = createMetrics({ service: 'billing' });
    let laterMs = 0;
    const clock = { now: () => Date.parse(now) + laterMs, monotonicMs: () => 0 };
    const { log, heard } = hearingLog();
    const clockCheck = { isRight: () => false };
    const payoutDelayMs = 7 * 86_400_000;
    const deps = {
      payoutDelayMs,
      database: db.worker,
      processor: { name: 'sandbox' },
      metrics,
      clock,
      clockCheck,
      log,
      noteLag: () => undefined,
    };
    const observing = createObserveMoney(deps);
    await observing.start();
    const shown = async (name: string, labels = {}): Promise<number | undefined> => {
      const metric = await metrics.registry.getSingleMetric(`tollgate_billing_${name}`)?.get();
      return metric?.values.find((value) => Object.entries(labels).every(([key, of]) => value.labels[key] === of))
        ?.value;
    };
    await eventually(async () => (await shown('unknown_orders')) === 2, { withinMs: 5_000 });
    await observing.stop();
    expect(await shown('unknown_order_age_seconds')).toBe(3_600);
    expect([await shown('waiting_webhooks'), await shown('waiting_webhook_age_seconds')]).toEqual([1, 60]);
    expect(await shown('failed_orders', { kind: 'charge' })).toBe(1);
    expect(await shown('failed_orders', { kind: 'refund' })).toBe(0);
    expect(await shown('failed_orders', { kind: 'transfer' })).toBe(1);
    expect(await shown('clock_right')).toBe(0);
    expect(await shown('succeeded_charges')).toBe(1);
    expect(await shown('sweep_age_seconds')).toBe(43_200);
    expect(await shown('watermark_age_seconds')).toBe(120);

    const observeAgain = async () => {
      await observing.start();
      await observing.stop(); // waits for the round that the start began
    };
    await observeAgain();
    expect(heard('outcome of an order')).toEqual([]);
    laterMs = 1_000;
    for (let round = 0; round < 3; round++) await observeAgain();
    expect(heard('outcome of an order')).toEqual([expect.objectContaining({ level: 'warn', age_seconds: 3_601 })]);
  });
});

describe('oldest due work', () => {
  /** Ada owes 2.3 million USD, in three charges. */
  const fixture = useCollection({
    uses: { [ada]: 2_300_000 },
    cards: { [ada]: 'visa' },
    now: '2026-02-02T00:00:01Z',
    last: ({ close }) => close('2026-01'),
  });

  const read = (laterMs: number) =>
    readOldestDueWork(fixture.worker, { nowMs: closed + laterMs, payoutDelayMs: payoutSettings.delayMs });

  it('F268 the oldest due work is that of an invoice until its last part is charged', async () => {
    expect(await read(0)).toEqual({ ...nothing, charge: closed });
    for (const parts of [1, 2]) {
      await fixture.collectOnly();
      expect(await fixture.charges()).toHaveLength(parts);
      expect(await read(0)).toEqual({ ...nothing, charge: closed });
    }
    await fixture.collectOnly();
    expect(await read(0)).toEqual(nothing);
  });

  it('F268 the oldest due work names what is past due and the payout day, each since its own time', async () => {
    expect(await read(15 * dayMs)).toEqual({
      ...nothing,
      charge: closed,
      past_due: closed + 14 * dayMs,
      payout_day: Date.parse('2026-02-08T00:00:00Z'),
    });
  });

  it('F268 the oldest due work leaves out what waits for the operator, or for the answer of the processor', async () => {
    const rows = createAuthRows(fixture.owner);
    await rows.putAccount(ada);
    await rows.suspend(ada);
    expect(await read(0)).toEqual(nothing);
    await rows.resume(ada);
    await fixture.failures.add({ on: 'charge', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
    await fixture.collectOnly();
    expect(await read(0)).toEqual(nothing);
  });
});
