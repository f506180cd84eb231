import { formatUsd, micros } from '@tollgate/kernel/money';
import { toIso } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { hourMs } from '@tollgate/kernel/durations';
import { differingRows, type ReconcileScope, type ReconcileStep, type Reconciliation } from './reconciliation.ts';
import { compareEvents, type EventsCompared } from './sql-compare-events.ts';
import { compareLedger, type LedgerCompared } from './sql-compare-ledger.ts';
import type { Processor } from '../processor/processor.ts';
import { reconcileCaps } from './reconcile-caps.ts';
import { reconcileInbox } from './reconcile-inbox.ts';
import { reconcileKeys } from './reconcile-keys.ts';
import { reconcileLines } from './reconcile-lines.ts';
import { reconcileOwnPayouts } from './reconcile-own-payouts.ts';
import { reconcileProcessor } from './reconcile-processor.ts';
import { readCash } from './sql-read-own-payouts.ts';
import { gatherInvoiceCharges } from '../balance/gather-charges.ts';
import { planLaying, splitLaid, sumByCredit } from '../balance/plan-laying.ts';
import { listGrants } from '../balance/sql-grants.ts';
import { listPaidByGrants, type PaidByGrants } from './sql-compare-caps.ts';
import { readToolIds } from '../usage/sql-usage-seals.ts';
import { compareSeals, isSealed } from './sql-seals.ts';

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

/**
 * Compares the ledger's cash with the balance that the processor holds for us, of all time. It finds every movement that
 * another step does not look at, whenever it was. What the processor withdrew for a dispute of before it was posted counts too.
 */
async function reconcileCash(database: Database, processor: Processor): Promise<ReconcileStep> {
  const { heldCents, ownCents, otherCurrencies } = await processor.readBalance();
  const { cashMicros, entries, disputedCents, underway } = await database.transaction((tx) =>
    readCash(tx, processor.name),
  );
  const expected = formatUsd(micros(cashMicros - centsToMicros(disputedCents)));
  const balance = formatUsd(centsToMicros(heldCents - ownCents));
  const isEqual = expected === balance;
  const isMixed = otherCurrencies.length > 0;
  const row = `the processor holds ${balance} USD that billing moved, the ledger’s cash is ${expected} USD`;
  return {
    name: 'cash_balance',
    unit: 'usd',
    left: { what: 'cash in the ledger', count: entries, sum: expected },
    right: { what: `balance at ${processor.name}, less own deposits and fees`, count: 1n, sum: balance },
    ...differingRows(isEqual || isMixed ? [] : [row]),
    note: isMixed ? mixed(otherCurrencies) : underway === 0 ? null : ordersUnderway(underway),
  };
}

function ordersUnderway(underway: number): string {
  return `${underway} orders are on their way; their money may be at one side only.`;
}

function mixed(currencies: readonly string[]): string {
  return `The processor holds money in ${currencies.join(', ')} too, at rates that change, so cash is not compared. Let it settle in US dollars.`;
}

/**
 * Lays the calls of a period's invoices once more on the grants that paid them, with no more money than each has paid. A grant
 * that pays less now has paid for calls that were not made while it was valid. Calls that were counted late have no hour any
 * more, so invoices with such calls are left out.
 */
async function reconcileGrants(database: Database, scope: ReconcileScope): Promise<ReconcileStep> {
  const sums = { count: 0n, paidCents: 0n, laidCents: 0n, late: 0, rows: [] as string[] };
  for (const invoice of await database.transaction((tx) => listPaidByGrants(tx, scope))) {
    const laid = await database.transaction((tx) => layAgain(tx, invoice), { isolation: 'snapshot' });
    if (laid === undefined) {
      sums.late += 1;
      continue;
    }
    for (const [creditId, paidCents] of invoice.paid) {
      const laidCents = laid.get(creditId) ?? 0n;
      sums.count += 1n;
      sums.paidCents += paidCents;
      sums.laidCents += laidCents;
      if (laidCents !== paidCents) sums.rows.push(differenceOf(invoice, { creditId, paidCents, laidCents }));
    }
  }
  const { count, paidCents, laidCents, late, rows } = sums;
  return {
    name: 'grants_calls',
    unit: 'usd',
    left: { what: 'parts of invoices that grants have paid', count, sum: formatUsd(centsToMicros(paidCents)) },
    right: { what: 'calls of their time, laid on them again', count, sum: formatUsd(centsToMicros(laidCents)) },
    ...differingRows(rows),
    note: late === 0 ? null : `${late} invoices have calls that were counted late, without their hours.`,
  };
}

async function layAgain(tx: Transaction, invoice: PaidByGrants): Promise<ReadonlyMap<string, bigint> | undefined> {
  const { id, accountId, totalCents, paid } = invoice;
  const grants = await listGrants(tx, accountId, id);
  const pools = grants.map((grant) => ({ ...grant, cents: paid.get(grant.creditId) ?? 0n }));
  const charges = await gatherInvoiceCharges(tx, { id, accountId });
  if (charges.charges.some(({ startMs, endMs }) => endMs - startMs > hourMs)) return undefined;
  return sumByCredit(splitLaid(planLaying({ ...charges, pools }), totalCents).billed);
}

interface Difference {
  readonly creditId: string;
  readonly paidCents: bigint;
  readonly laidCents: bigint;
}

function differenceOf({ number }: PaidByGrants, { creditId, paidCents, laidCents }: Difference): string {
  return `credit ${creditId} paid ${paidCents} cents of invoice ${number}, its calls come to ${laidCents}`;
}

/**
 * Compares the rollups of a closed month with the sums that its close kept apart. So an event is named that was taken out
 * together with its measures and its rollup, also if nobody was billed for it.
 */
async function reconcileSeals(database: Database, period: string): Promise<ReconcileStep> {
  return database.transaction((tx) => compareAll(tx, period), { isolation: 'snapshot' });
}

async function compareAll(tx: Transaction, period: string): Promise<ReconcileStep> {
  const sums = { hours: 0n, sealed: 0n, hoursNow: 0n, callsNow: 0n, late: 0, differing: 0, rows: [] as string[] };
  const isClosed = await isSealed(tx, period);
  if (isClosed)
    for await (const toolIds of readToolIds(tx)) {
      const found = await compareSeals(tx, { period, toolIds });
      sums.hours += found.hours;
      sums.sealed += found.sealedCalls;
      sums.hoursNow += found.hoursNow;
      sums.callsNow += found.callsNow;
      sums.late += found.late;
      sums.differing += found.differing;
      sums.rows.push(...found.rows.slice(0, 20 - sums.rows.length));
    }
  return {
    name: 'rollups_seals',
    unit: 'calls',
    left: { what: 'tools and hours, as the close has sealed them', count: sums.hours, sum: String(sums.sealed) },
    right: { what: 'their rollups now', count: sums.hoursNow, sum: String(sums.callsNow) },
    differing: sums.differing,
    rows: sums.rows,
    note: noteOf(isClosed, sums.late),
  };
}

function noteOf(isClosed: boolean, late: number): string | null {
  if (!isClosed) return 'The period is not closed yet, so its usage is not sealed.';
  return late === 0 ? null : `${late} tools have calls that were counted late; the next close seals them again.`;
}
