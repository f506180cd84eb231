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
  /** Of two connections at least: one plans while the other stores. */
  readonly database: Database;
  /** Below this an invoice bills nothing. */
  readonly minimumMicros: Micros;
  /** Consumers a transaction: what a crash undoes; two such batches are held in memory. */
  readonly batchConsumersMax?: number;
}

export interface ClosedPeriod {
  readonly period: string;
  /** Those made by this run; another may have made the rest. */
  readonly invoices: number;
}

/**
 * Closes every period whose last hour is final, in order. Consumers are taken in batches, and each batch's invoices with
 * lines, numbers and ledger postings are stored in one transaction, whole or not at all. It may be stopped anywhere and
 * started anew, or run twice at once: who has an invoice of the period is passed over, and the close of a period is one row,
 * written last.
 *
 * While a batch is stored the next one is planned, on a connection of its own. A plan can wait without harm: what a consumer
 * was billed changes by an invoice of this period alone, and whoever got one meanwhile is passed over; what is counted
 * meanwhile is late, and on the next invoice.
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
  /** The last account that was looked at; undefined: there was nobody left. */
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

/** How many; fewer than planned where another closer was first. */
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

/** As Promise.all, but when one fails the other is done too: nothing goes on behind the back of who is told. */
async function bothSettled<A, B>(left: Promise<A>, right: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([left, right]);
  return Promise.all([left, right]);
}
