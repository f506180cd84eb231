import type { Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { gatherInvoiceFacts } from './gather-invoice-facts.ts';
import { planInvoice, type InvoicePlan } from './plan-invoice.ts';
import { readLastPeriods } from './sql-invoices.ts';
import type { LateUsage } from './sql-late-usage.ts';
import { listConsumersAfter } from './sql-list-consumers-after.ts';

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
}

export interface BatchQuery {
  readonly period: string;
  readonly lastClosed: string | null;
  readonly minimumMicros: Micros;
  /** A batch of several consumers with more rows of usage throws `TooMuchUsage`. One consumer is never too much. */
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

export type PlannedConsumers = Pick<Batch, 'lastPeriods' | 'plans' | 'late'>;

/** Plans the invoices of these accounts, except of those that have one of the period. */
export async function planConsumers(
  tx: Transaction,
  { accountIds, usageRowsMax, ...query }: ConsumersQuery,
): Promise<PlannedConsumers> {
  if (accountIds.length === 0) return { lastPeriods: new Map(), plans: [], late: [] };
  const invoiced = await readLastPeriods(tx, accountIds);
  const consumerIds = accountIds.filter((id) => invoiced.get(id) !== query.period);
  const facts = await gatherInvoiceFacts(tx, {
    ...query,
    consumerIds,
    usageRowsMax: consumerIds.length > 1 ? usageRowsMax : undefined,
  });
  return {
    lastPeriods: new Map(facts.map(({ consumerId, lastPeriod }) => [consumerId, lastPeriod])),
    plans: facts.map(planInvoice).filter(({ lines }) => lines.length > 0),
    late: facts.flatMap(({ late }) => late),
  };
}
