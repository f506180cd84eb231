import type { Transaction } from '@tollgate/database/database';
import { type Micros, zeroMicros } from '@tollgate/kernel/money';
import { postLedger } from '../ledger/sql-ledger.ts';
import { closePosting, issueInvoice, invoiceIdOf } from './issue-invoice.ts';
import type { Issuer } from './party.ts';
import { insertInvoices, insertDraftedLines, moveDraftedLines } from './sql-insert-invoices.ts';
import { insertInvoiceParties } from './sql-invoice-parties.ts';
import { readLastPeriods } from './sql-invoices.ts';
import { putBilledLateUsage, type LateUsage, readLastInvoice } from './sql-read-billed.ts';
import { deleteUnclosedConsumers } from './sql-unclosed-consumers.ts';
import { gatherInvoiceFacts, findSpans } from './gather-invoice-facts.ts';
import { planInvoice, type InvoicePlan } from './plan-invoice.ts';
import { listConsumersAfter } from './sql-list-consumers-after.ts';
import { TooMuchUsage } from '../usage/sql-sum-usage-by-price.ts';
import { createLineSums } from './outstanding-lines.ts';
import { outstandingInParts } from './outstanding-in-parts.ts';

export interface Storing {
  readonly period: string;
  readonly nowMs: number;
  readonly issuer: Issuer;
}

/**
 * Stores the planned invoices with their lines, numbers and ledger postings, and remembers which late usage they bill.
 * Needs the lock of `lockClosing`. Returns how many invoices it stored: fewer than planned when another run was first.
 * Throws when a planned consumer has got an invoice of an earlier period since: the plan bills its lines again.
 */
export async function storeInvoices(
  tx: Transaction,
  { lastPeriods, plans, late, large }: PlannedConsumers,
  { period, nowMs, issuer }: Storing,
): Promise<number> {
  if (lastPeriods.size === 0) return 0;
  const nowLast = await readLastPeriods(tx, [...lastPeriods.keys()]);
  const isOurs = ({ consumerId }: { readonly consumerId: string }): boolean => nowLast.get(consumerId) !== period;
  const consumerIds = [...lastPeriods.keys()].filter((consumerId) => isOurs({ consumerId }));
  const outdated = consumerIds.find((consumerId) => nowLast.get(consumerId) !== lastPeriods.get(consumerId));
  if (outdated !== undefined) throw new Error(`consumer ${outdated} got another invoice while this one was planned`);

  const invoices = plans.filter(isOurs).map((plan) => issueInvoice(plan, nowMs));
  if (invoices.length > 0) {
    const ids = invoices.map(({ id }) => id);
    const postings = invoices.map(closePosting).filter((posting) => posting !== undefined);
    // None waits for the one before: on a pipelined connection, PostgreSQL runs one while the next is written.
    await Promise.all([insertInvoices(tx, invoices), insertInvoiceParties(tx, ids, issuer), postLedger(tx, postings)]);
  }
  const billedLate = late.filter(isOurs);
  if (billedLate.length > 0) await putBilledLateUsage(tx, billedLate);
  const inParts = large !== undefined && isOurs(large) ? await storeInParts(tx, large, { nowMs, issuer }) : 0;
  await deleteUnclosedConsumers(tx, consumerIds);
  return invoices.length + inParts;
}

/** The planned invoices of some consumers, to be stored in one transaction. */
export interface Batch {
  /** The account before the first of the batch. */
  readonly afterId: string;
  /** At most so many accounts are in it. */
  readonly limit: number;
  /** The last account of the batch; undefined when no account was left. */
  readonly lastId: string | undefined;
  /** Consumers of the batch that had no invoice of the period, each with the period of its last one, null before the first. */
  readonly lastPeriods: ReadonlyMap<string, string | null>;
  /** Without the consumers who have nothing to bill. */
  readonly plans: readonly InvoicePlan[];
  /** The late usage that the plans bill. */
  readonly late: readonly LateUsage[];
  /** The one consumer of the batch, if it has too many lines for a plan. */
  readonly large?: LargeConsumer;
}

export interface BatchQuery {
  readonly period: string;
  readonly lastClosed: string | null;
  readonly minimumMicros: Micros;
  /** A batch of several consumers with more rows of usage throws `TooMuchUsage`. One consumer is then `large`. */
  readonly usageRowsMax?: number;
  readonly afterId: string;
  readonly limit: number;
}

/** Plans the invoices of the next `limit` accounts. */
export async function planBatch(tx: Transaction, { afterId, limit, ...query }: BatchQuery): Promise<Batch> {
  const accountIds = await listConsumersAfter(tx, afterId, limit);
  return { afterId, limit, lastId: accountIds.at(-1), ...(await planConsumers(tx, { ...query, accountIds })) };
}

export interface ConsumersQuery extends Omit<BatchQuery, 'afterId' | 'limit'> {
  readonly accountIds: readonly string[];
}

type PlannedConsumers = Pick<Batch, 'lastPeriods' | 'plans' | 'late' | 'large'>;

/** Two plans are held in memory; a row of usage has up to eight lines of some 500 bytes. */
const usageRowsMaxDefault = 10_000;

/** Plans the invoices of these accounts, except of those that have one of the period. */
export async function planConsumers(
  tx: Transaction,
  { accountIds, usageRowsMax = usageRowsMaxDefault, ...query }: ConsumersQuery,
): Promise<PlannedConsumers> {
  const invoiced = await readLastPeriods(tx, accountIds);
  const consumerIds = accountIds.filter((id) => invoiced.get(id) !== query.period);
  const lastPeriods = new Map(consumerIds.map((id) => [id, invoiced.get(id) ?? null]));
  const [first] = consumerIds;
  if (first === undefined) return { lastPeriods, plans: [], late: [] };
  try {
    const facts = await gatherInvoiceFacts(tx, { ...query, consumerIds, usageRowsMax });
    const plans = facts.map(planInvoice).filter(({ lines }) => lines.length > 0);
    return { lastPeriods, plans, late: facts.flatMap(({ late }) => late) };
  } catch (error) {
    if (consumerIds.length > 1 || !(error instanceof TooMuchUsage)) throw error;
    return { lastPeriods, plans: [], late: [], large: { ...query, consumerId: first } };
  }
}

/** A consumer with more lines than are held in memory together. */
interface LargeConsumer {
  readonly consumerId: string;
  readonly period: string;
  readonly lastClosed: string | null;
  readonly minimumMicros: Micros;
}

/**
 * Makes and stores the invoice of a large consumer in one transaction: the lines are rated in parts, and each part goes to
 * the database at once. Only sums by builder stay here. Needs the lock of `lockClosing`, so no invoice is stored meanwhile.
 * Returns how many invoices it stored.
 */
async function storeInParts(
  tx: Transaction,
  large: LargeConsumer,
  { nowMs, issuer }: { readonly nowMs: number; readonly issuer: Issuer },
): Promise<number> {
  const { consumerId, period, minimumMicros } = large;
  const { spans, late } = await findSpans(tx, { ...large, consumerIds: [consumerId] });
  const last = await readLastInvoice(tx, consumerId);
  const id = invoiceIdOf({ consumerId, period });
  const byBuilder = createLineSums(({ builderId }) => builderId);
  for await (const lines of outstandingInParts(tx, spans)) {
    await insertDraftedLines(tx, { id, period, lines, afterPlace: byBuilder.lineCount() });
    byBuilder.add(lines);
  }
  await putBilledLateUsage(tx, late.get(consumerId) ?? []);
  if (byBuilder.lineCount() === 0) return 0;

  const carriedInMicros = last?.carriedOutMicros ?? zeroMicros;
  const facts = { consumerId, period, minimumMicros, carriedInMicros, rated: byBuilder.sums(), billed: [] };
  const invoice = issueInvoice(planInvoice(facts), nowMs);
  await insertInvoices(tx, [{ ...invoice, lines: [] }]);
  await moveDraftedLines(tx, id);
  await insertInvoiceParties(tx, [id], issuer);
  const posting = closePosting(invoice);
  if (posting !== undefined) await postLedger(tx, [posting]);
  return 1;
}
