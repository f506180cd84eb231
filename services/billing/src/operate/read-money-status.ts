import type { Database } from '@tollgate/database/database';
import { dayMs } from '@tollgate/kernel/durations';
import type { Micros } from '@tollgate/kernel/money';
import { readLastLedgerCheck } from '../audit/sql-sum-ledger.ts';
import { collectableStatuses, countHeldInvoices } from '../collection/sql-collectable-invoices.ts';
import { closableAtMs, duePeriod } from '../invoicing/due-period.ts';
import { findCloseProgress } from '../invoicing/sql-closed-periods.ts';
import { countUnclosedConsumers } from '../invoicing/sql-unclosed-consumers.ts';
import { failingPayoutMs } from '../payouts/observe-payouts.ts';
import { countFailingPayouts, sumUnfundedPayouts } from '../payouts/sql-list-payouts.ts';
import { countOtherAmounts } from '../processor/sql-attempts.ts';
import { countOpenDisputes } from '../refunds/sql-disputes.ts';
import { countUsageAlertsSince } from '../usage/sql-usage-alerts.ts';
import { readMoneyFigures, readOldestDueWork, type OldestDueWork } from './sql-money-figures.ts';

export interface MoneyStatusQuery {
  readonly processor: string;
  /** Less than this is never paid out. */
  readonly payoutMinimumMicros: Micros;
  /** From a period's end to its payout day. */
  readonly payoutDelayMs: number;
  readonly nowMs: number;
}

/** The money that waits in the books, and for whom: the figures of the metrics, read at once. Ages are in seconds. */
export interface MoneyStatus {
  /** The time by which the service judges: in the sandbox, that of its clock. */
  readonly nowMs: number;
  /** 0 while nothing is counted. */
  readonly countedThroughMs: number;
  /** Null while nothing is counted. */
  readonly watermarkAge: number | null;
  /** The oldest period that is due and not closed. */
  readonly duePeriod: string | null;
  /** For how long, by the watermark; 0 if none is due. */
  readonly dueAge: number;
  /** The kind of work that has been due for longest, such as `charge`; null if none is due. */
  readonly oldestDueWork: string | null;
  /** For how long. */
  readonly oldestDueWorkAge: number;
  readonly unclosedConsumers: number;
  readonly heldInvoices: number;
  readonly failingPayouts: number;
  readonly unfundedPayouts: number;
  readonly openDisputes: number;
  readonly unknownOrders: number;
  readonly unknownOrderAge: number;
  readonly ordersOfOtherAmount: number;
  readonly bankFailures: number;
  readonly waitingWebhooks: number;
  readonly waitingWebhookAge: number;
  /** The alerts of the last 24 hours. */
  readonly usageAlerts: number;
  /** Checks that did not hold in the last nightly check; null before the first one. */
  readonly ledgerDifferences: number | null;
}

/** Only reads, as billing_worker. */
export async function readMoneyStatus(database: Database, query: MoneyStatusQuery): Promise<MoneyStatus> {
  const { processor, payoutMinimumMicros: minimumMicros, payoutDelayMs, nowMs } = query;
  const figures = await readMoneyFigures(database, processor, nowMs);
  const progress = await findCloseProgress(database);
  const due = duePeriod(progress);
  return {
    nowMs,
    countedThroughMs: progress.countedThroughMs,
    watermarkAge: figures.watermark_age,
    duePeriod: due ?? null,
    dueAge: due === undefined ? 0 : (progress.countedThroughMs - closableAtMs(due)) / 1_000,
    ...oldestOf(await readOldestDueWork(database, { nowMs, payoutDelayMs }), nowMs),
    unclosedConsumers: await countUnclosedConsumers(database),
    heldInvoices: await countHeldInvoices(database, collectableStatuses),
    failingPayouts: await countFailingPayouts(database, { sinceMs: nowMs - failingPayoutMs, minimumMicros }),
    unfundedPayouts: (await sumUnfundedPayouts(database)).payouts,
    openDisputes: await countOpenDisputes(database, processor),
    unknownOrders: figures.unknown_orders,
    unknownOrderAge: figures.unknown_order_age,
    ordersOfOtherAmount: await countOtherAmounts(database),
    bankFailures: figures.bank_failures,
    waitingWebhooks: figures.waiting_webhooks,
    waitingWebhookAge: figures.waiting_webhook_age,
    usageAlerts: await countUsageAlertsSince(database, nowMs - dayMs),
    ledgerDifferences: await readLastLedgerCheck(database),
  };
}

function oldestOf(dueSinceMs: OldestDueWork, nowMs: number): Pick<MoneyStatus, 'oldestDueWork' | 'oldestDueWorkAge'> {
  const due = Object.entries(dueSinceMs) as [string, number | null][];
  const [oldest] = due
    .flatMap(([kind, sinceMs]) => (sinceMs === null ? [] : [{ kind, sinceMs }]))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
  return { oldestDueWork: oldest?.kind ?? null, oldestDueWorkAge: oldest ? (nowMs - oldest.sinceMs) / 1_000 : 0 };
}
