import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/runtime/postgres/database';
import { closePosting } from '../domain/invoicing/close-posting.ts';
import { duePeriod } from '../domain/invoicing/due-period.ts';
import { issueInvoice } from '../domain/invoicing/issue-invoice.ts';
import { planInvoice } from '../domain/invoicing/plan-invoice.ts';
import { insertClosedPeriod, readLastClosedPeriod } from '../sql/closed-period.ts';
import { findCloseProgress } from '../sql/find-close-progress.ts';
import { insertInvoices } from '../sql/insert-invoices.ts';
import { listConsumersToInvoice } from '../sql/list-consumers-to-invoice.ts';
import { lockClosing } from '../sql/lock-closing.ts';
import { postLedger } from '../sql/post-ledger.ts';
import { gatherInvoiceFacts } from './gather-invoice-facts.ts';

export interface CloseDeps {
  readonly database: Database;
  /** Below this an invoice bills nothing. */
  readonly minimumMicros: Micros;
  /** Consumers a transaction: what is held in memory, and what a crash undoes. */
  readonly batchConsumersMax?: number;
}

export interface ClosedPeriod {
  readonly period: string;
  /** Those made by this run; another may have made the rest. */
  readonly invoices: number;
}

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Closes every period whose last hour is final, in order. Consumers are taken in batches, one transaction each: their
 * invoices with lines, numbers and ledger postings, whole or not at all. It may be stopped anywhere and started anew, or
 * run twice at once: who has an invoice of the period is passed over, and the close of a period is one row, written last.
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
    let invoices = 0;
    let afterId: string | undefined = firstId;
    while (afterId !== undefined) {
      const batch: Batch = { period, nowMs, minimumMicros, afterId, limit: batchConsumersMax };
      const done = await database.transaction((tx) => closeBatch(tx, batch));
      invoices += done.invoices;
      afterId = done.lastId;
    }
    return invoices;
  }
}

export type CloseDuePeriods = ReturnType<typeof createCloseDuePeriods>;

interface Batch {
  readonly period: string;
  readonly nowMs: number;
  readonly minimumMicros: Micros;
  readonly afterId: string;
  readonly limit: number;
}

interface BatchDone {
  readonly invoices: number;
  /** Undefined: there was nobody left, and the period is closed. */
  readonly lastId: string | undefined;
}

async function closeBatch(tx: Transaction, batch: Batch): Promise<BatchDone> {
  await lockClosing(tx);
  if (await isClosed(tx, batch.period)) return { invoices: 0, lastId: undefined };
  const { consumerIds, lastId } = await listConsumersToInvoice(tx, batch);
  if (lastId === undefined) {
    await insertClosedPeriod(tx, batch.period, batch.nowMs);
    return { invoices: 0, lastId };
  }
  return { invoices: await invoiceConsumers(tx, consumerIds, batch), lastId };
}

async function invoiceConsumers(
  tx: Transaction,
  consumerIds: readonly string[],
  { period, nowMs, minimumMicros }: Batch,
): Promise<number> {
  if (consumerIds.length === 0) return 0;
  const facts = await gatherInvoiceFacts(tx, { consumerIds, period, minimumMicros });
  const plans = facts.map(planInvoice).filter(({ lines }) => lines.length > 0);
  if (plans.length === 0) return 0;
  const invoices = plans.map((plan) => issueInvoice(plan, nowMs));
  await insertInvoices(tx, invoices);
  await postLedger(
    tx,
    invoices.map(closePosting).filter((posting) => posting !== undefined),
  );
  return invoices.length;
}

async function isClosed(tx: Transaction, period: string): Promise<boolean> {
  const last = await readLastClosedPeriod(tx);
  return last !== null && last >= period;
}
