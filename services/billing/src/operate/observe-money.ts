import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import { every } from '@tollgate/runtime/timing/every';
import type { Queryable } from '@tollgate/database/database';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Processor } from '../processor/processor.ts';
import { readMoneyFigures, readOldestDueWork } from './sql-money-figures.ts';
import { createWarnOfAges } from './warn-of-ages.ts';

export interface ObserveMoneyDeps extends OldestDueWorkDeps {
  readonly processor: Pick<Processor, 'name'>;
  readonly clock: Clock;
  readonly clockCheck: Pick<ClockCheck, 'isRight'>;
  /** Takes the lag of each round; null while nothing is counted. */
  readonly noteLag: (lagSeconds: number | null) => void;
  readonly log: Logger;
}

const everyMs = 15_000;

/**
 * Measures what waits between the books and the processor, beside the tick: also while the tick waits for the processor.
 * The log has a warning when something has become too old.
 */
export function createObserveMoney(deps: ObserveMoneyDeps): Service {
  const { database, processor, metrics, clock, clockCheck, log } = deps;
  const unknownOrders = metrics.gauge(
    'tollgate_billing_unknown_orders',
    'Orders to the processor whose outcome is not known.',
  );
  const unknownAge = metrics.gauge(
    'tollgate_billing_unknown_order_age_seconds',
    'Age of the oldest order whose outcome is unknown; 0 if there is none.',
  );
  const webhooks = metrics.gauge('tollgate_billing_waiting_webhooks', 'Webhooks that are stored and not applied.');
  const webhookAge = metrics.gauge(
    'tollgate_billing_waiting_webhook_age_seconds',
    'Age of the oldest webhook that is stored and not applied; 0 if there is none.',
  );
  const failed = metrics.gauge(
    'tollgate_billing_failed_orders',
    'Orders that the processor refused in the last 24 hours.',
    ['kind'],
  );
  const succeeded = metrics.gauge('tollgate_billing_succeeded_charges', 'Charges that succeeded in the last 24 hours.');
  const waiting = metrics.gauge(
    'tollgate_billing_waiting_invoices',
    'Unpaid invoices that wait for their consumer: for a payment method, or for a confirmation at the bank.',
    ['reason'],
  );
  const bankFailures = metrics.gauge(
    'tollgate_billing_bank_failures',
    'Builders whose bank refused the last payout from their account at the processor.',
  );
  const sweepAge = metrics.gauge(
    'tollgate_billing_sweep_age_seconds',
    'Time since the last complete sweep of the processor ended. Absent before the first one has ended.',
  );
  const watermarkAge = metrics.gauge(
    'tollgate_billing_watermark_age_seconds',
    'How far the counted usage is behind the clock. Absent while nothing is counted.',
  );
  const clockIsRight = metrics.gauge(
    'tollgate_billing_clock_right',
    '1 if the clock of the machine agrees with the database; 0 if not, and then nothing is closed, charged or paid.',
  );

  const observeOldestDueWork = createObserveOldestDueWork(deps);
  const warnOfAges = createWarnOfAges(log);

  async function observe(): Promise<void> {
    clockIsRight.set(clockCheck.isRight() ? 1 : 0);
    const nowMs = clock.now();
    const figures = await readMoneyFigures(database, processor.name, nowMs);
    unknownOrders.set(figures.unknown_orders);
    unknownAge.set(figures.unknown_order_age);
    webhooks.set(figures.waiting_webhooks);
    webhookAge.set(figures.waiting_webhook_age);
    failed.set({ kind: 'charge' }, figures.failed_charges);
    failed.set({ kind: 'refund' }, figures.failed_refunds);
    failed.set({ kind: 'transfer' }, figures.failed_transfers);
    succeeded.set(figures.succeeded_charges);
    waiting.set({ reason: 'payment_method' }, figures.waiting_for_payment_method);
    waiting.set({ reason: 'authentication' }, figures.waiting_for_authentication);
    bankFailures.set(figures.bank_failures);
    if (figures.sweep_age !== null) sweepAge.set(figures.sweep_age);
    if (figures.watermark_age !== null) watermarkAge.set(figures.watermark_age);
    deps.noteLag(figures.watermark_age);
    warnOfAges(figures);
    await observeOldestDueWork(nowMs);
  }

  return every({ name: 'observe-money', everyMs, first: 'at once', run: observe, log });
}

interface OldestDueWorkDeps {
  readonly database: Queryable;
  readonly metrics: Metrics;
  /** From a period's end to its payout day. */
  readonly payoutDelayMs: number;
}

/** Measures for how long the oldest work of each kind has been due. Without it, work that gets no turn is seen by nobody. */
function createObserveOldestDueWork({ database, metrics, payoutDelayMs }: OldestDueWorkDeps) {
  const oldestDue = metrics.gauge(
    'tollgate_billing_oldest_due_work_age_seconds',
    'Time for which the oldest due work of each kind has waited; 0 if there is none.',
    ['kind'],
  );
  return async function observeOldestDueWork(nowMs: number): Promise<void> {
    for (const [kind, sinceMs] of Object.entries(await readOldestDueWork(database, { nowMs, payoutDelayMs })))
      oldestDue.set({ kind }, sinceMs === null ? 0 : (nowMs - sinceMs) / 1_000);
  };
}
