import type { Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { gatherInvoiceFacts } from './gather-invoice-facts.ts';
import { planInvoice, type InvoicePlan } from './plan-invoice.ts';
import { readLastPeriods } from './sql-invoices.ts';
import type { LateUsage } from './sql-late-usage.ts';
import { listConsumersAfter } from './sql-list-consumers-after.ts';
import type { LargeConsumer } from './store-in-parts.ts';
import { TooMuchUsage } from '../usage/too-much-usage.ts';

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

export type PlannedConsumers = Pick<Batch, 'lastPeriods' | 'plans' | 'late' | 'large'>;

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
