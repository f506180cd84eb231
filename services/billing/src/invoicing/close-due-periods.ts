import { nilUuid } from '@tollgate/kernel/uuid';
import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import { closePosting } from './close-posting.ts';
import { duePeriod } from './due-period.ts';
import { issueInvoice } from './issue-invoice.ts';
import { planInvoice, type InvoicePlan } from './plan-invoice.ts';
import { insertClosedPeriod, readLastClosedPeriod, findCloseProgress } from './sql-closed-periods.ts';
import { findInvoiced } from './sql-invoices.ts';
import { insertInvoices } from './sql-insert-invoices.ts';
import { listConsumersAfter } from './sql-list-consumers-after.ts';
import { lockClosing } from './sql-lock-closing.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { gatherInvoiceFacts } from './gather-invoice-facts.ts';

export interface CloseDeps {
  /** Needs at least two connections: one plans while the other stores. */
  readonly database: Database;
  /** An invoice below this amount bills nothing; the amount is carried to the next invoice. */
  readonly minimumMicros: Micros;
  /** Consumers per transaction: the most work that a crash undoes. Two batches of this size are held in memory. */
  readonly batchConsumersMax?: number;
}

export interface ClosedPeriod {
  readonly period: string;
  /** Invoices that this run stored; a run at the same time may have stored others. */
  readonly invoices: number;
}

/**
 * Closes every period whose last hour is final, in order, and returns the closed periods. Consumers are taken in
 * batches. One transaction stores a batch's invoices with lines, numbers and ledger postings.
 *
 * The function may be stopped anywhere, started again, or run twice at once. Consumers that have an invoice of the
 * period are skipped. The row that closes the period is written last.
 *
 * While one batch is stored, the next is planned on another connection. The plan stays right while it waits. Only an
 * invoice of this period changes what a consumer was billed, and consumers with one are skipped. Calls that are counted
 * meanwhile are late, and go on the next invoice.
 */
export function createCloseDuePeriods({ database, minimumMicros, batchConsumersMax = 200 }: CloseDeps) {
  return async function closeDuePeriods(nowMs: number): Promise<ClosedPeriod[]> {
    const closed: ClosedPeriod[] = [];
    for (;;) {
      const period = duePeriod(await findCloseProgress(database));
      if (period === undefined) return closed;
      closed.push({ period, invoices: await closePeriod(period, nowMs) });
    }
  };

  async function closePeriod(period: string, nowMs: number): Promise<number> {
    const planAfter = async (afterId: string): Promise<Batch> =>
      database.transaction((tx) => planBatch(tx, { period, minimumMicros, afterId, limit: batchConsumersMax }));
    let invoices = 0;
    let { plans, lastId } = await planAfter(nilUuid);
    while (lastId !== undefined) {
      const storing = database.transaction((tx) => storeInvoices(tx, plans, { period, nowMs }));
      const [stored, next] = await bothSettled(storing, planAfter(lastId));
      invoices += stored;
      ({ plans, lastId } = next);
    }
    await database.transaction((tx) => markClosed(tx, period, nowMs));
    return invoices;
  }
}

export type CloseDuePeriods = ReturnType<typeof createCloseDuePeriods>;

interface Batch {
  readonly plans: readonly InvoicePlan[];
  /** The last account of the batch; undefined when no account was left. */
  readonly lastId: string | undefined;
}

interface BatchQuery {
  readonly period: string;
  readonly minimumMicros: Micros;
  readonly afterId: string;
  readonly limit: number;
}

async function planBatch(tx: Transaction, { period, minimumMicros, afterId, limit }: BatchQuery): Promise<Batch> {
  const accountIds = await listConsumersAfter(tx, afterId, limit);
  if (accountIds.length === 0) return { plans: [], lastId: undefined };
  const invoiced = await findInvoiced(tx, period, accountIds);
  const consumerIds = accountIds.filter((id) => !invoiced.has(id));
  const facts = await gatherInvoiceFacts(tx, { consumerIds, period, minimumMicros });
  return { plans: facts.map(planInvoice).filter(({ lines }) => lines.length > 0), lastId: accountIds.at(-1) };
}

interface Closing {
  readonly period: string;
  readonly nowMs: number;
}

/** Returns how many invoices it stored. There are fewer than planned when another run stored some first. */
async function storeInvoices(
  tx: Transaction,
  plans: readonly InvoicePlan[],
  { period, nowMs }: Closing,
): Promise<number> {
  if (plans.length === 0) return 0;
  await lockClosing(tx);
  if (await isClosed(tx, period)) return 0;
  const ids = plans.map(({ consumerId }) => consumerId);
  const invoiced = await findInvoiced(tx, period, ids);
  const invoices = plans.filter(({ consumerId }) => !invoiced.has(consumerId)).map((plan) => issueInvoice(plan, nowMs));
  if (invoices.length === 0) return 0;
  await insertInvoices(tx, invoices);
  await postLedger(
    tx,
    invoices.map(closePosting).filter((posting) => posting !== undefined),
  );
  return invoices.length;
}

async function markClosed(tx: Transaction, period: string, nowMs: number): Promise<void> {
  await lockClosing(tx);
  if (!(await isClosed(tx, period))) await insertClosedPeriod(tx, period, nowMs);
}

async function isClosed(tx: Transaction, period: string): Promise<boolean> {
  const last = await readLastClosedPeriod(tx);
  return last !== null && last >= period;
}

/**
 * Like Promise.all, but waits for both before it throws, so that no transaction runs on after the caller has failed.
 */
async function bothSettled<A, B>(left: Promise<A>, right: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([left, right]);
  return Promise.all([left, right]);
}
