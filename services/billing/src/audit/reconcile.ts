import { formatUsd, micros } from '@tollgate/kernel/money';
import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { differingRows, type ReconcileScope, type ReconcileStep, type Reconciliation } from './reconciliation.ts';
import { compareEvents, type EventsCompared } from './sql-compare-events.ts';
import { compareLedger, type LedgerCompared } from './sql-compare-ledger.ts';
import type { Processor } from '../processor/processor.ts';
import { reconcileCaps } from './reconcile-caps.ts';
import { reconcileCash } from './reconcile-cash.ts';
import { reconcileInbox } from './reconcile-inbox.ts';
import { reconcileGrants } from './reconcile-grants.ts';
import { reconcileKeys } from './reconcile-keys.ts';
import { reconcileLines } from './reconcile-lines.ts';
import { reconcileOwnPayouts } from './reconcile-own-payouts.ts';
import { reconcileProcessor } from './reconcile-processor.ts';
import { reconcileSeals } from './reconcile-seals.ts';

export interface ReconcileDeps {
  /** Read only. Its statements may take minutes. */
  readonly database: Database;
  readonly processor: Processor;
}

const snapshot = { isolation: 'snapshot' } as const;

/**
 * Follows a period from its events to the processor: events = rollups = lines = ledger = processor, and events = their keys.
 * Then spending caps = their usage and holds, what grants paid = the calls of their time, rollups = what the close has sealed,
 * payouts of the platform = their postings, and webhooks received = events there. At last, cash = the balance there. Each step has the counts and sums of both
 * sides, and the rows that differ. Money on its way may differ now and agree in a later run.
 */
export function createReconcile({ database, processor }: ReconcileDeps) {
  return async function reconcile(scope: ReconcileScope): Promise<Reconciliation> {
    const events = await database.transaction((tx) => compareEvents(tx, scope), snapshot);
    const keys = await reconcileKeys(database, scope);
    const lines = await reconcileLines(database, scope);
    const ledger = await database.transaction((tx) => compareLedger(tx, scope), snapshot);
    const movements = await reconcileProcessor({ database, processor }, scope);
    const caps = await reconcileCaps(database, scope);
    const grants = await reconcileGrants(database, scope);
    const { period, accountId = null } = scope;
    const ofPlatform = accountId === null ? await reconcilePlatform(period) : [];
    const steps = [eventsStep(events), keys, lines, ledgerStep(ledger), movements, caps, grants, ...ofPlatform];
    return { period, accountId, isEqual: steps.every(({ differing }) => differing === 0), steps };
  };

  /** The seals of usage, the platform's payouts, its inbox and its cash say nothing about one account. */
  async function reconcilePlatform(period: string): Promise<ReconcileStep[]> {
    return [
      await reconcileSeals(database, period),
      await reconcileOwnPayouts({ database, processor }, period),
      await reconcileInbox({ database, processor }, period),
      await reconcileCash(database, processor),
    ];
  }
}

export type Reconcile = ReturnType<typeof createReconcile>;

function eventsStep(compared: EventsCompared): ReconcileStep {
  const { events, rollups, calls, callsBefore, rows } = compared;
  return {
    name: 'events_rollups',
    unit: 'calls',
    left: { what: 'events kept', count: events, sum: String(events) },
    right: { what: 'rollups of the same hours', count: rollups, sum: String(calls) },
    ...differingRows(rows),
    note: callsBefore > 0n ? notKept(compared) : null,
  };
}

function notKept({ callsBefore, since }: EventsCompared): string {
  const until = since === null ? '' : ` before ${toIso(since.getTime())}`;
  return `The events of ${callsBefore} calls${until} are no longer kept, so their rollups could not be compared.`;
}

function ledgerStep({ lines, chargeMicros, entries, postedMicros, rows }: LedgerCompared): ReconcileStep {
  return {
    name: 'lines_ledger',
    unit: 'usd',
    left: { what: 'lines of the period’s invoices', count: lines, sum: formatUsd(micros(chargeMicros)) },
    right: { what: 'ledger entries of its invoices and payouts', count: entries, sum: formatUsd(micros(postedMicros)) },
    ...differingRows(rows),
    note: null,
  };
}
