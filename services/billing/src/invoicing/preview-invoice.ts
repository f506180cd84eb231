import { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Invoice } from './invoice.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import { planUpcomingInvoice } from './plan-upcoming-invoice.ts';
import { readLastClosedPeriod } from '../usage/sql-last-closed-period.ts';
import { readInvoiceOfPeriod } from './sql-invoices.ts';
import { gatherInvoiceFacts, type GatheredFacts } from './gather-invoice-facts.ts';

export interface PreviewDeps {
  readonly database: Database;
  readonly minimumMicros: Micros;
}

export interface PreviewQuery {
  readonly consumerId: string;
  readonly period: string;
}

/**
 * Returns the invoice of a period: the stored one if there is one, else a plan of it as it would be now. Throws
 * `not_found` for a closed period in which the consumer has no invoice.
 */
export function createPreviewInvoice({ database, minimumMicros }: PreviewDeps) {
  return async function previewInvoice({ consumerId, period }: PreviewQuery): Promise<InvoicePlan | Invoice> {
    const preview = async (tx: Transaction) => {
      const lastClosed = await readLastClosedPeriod(tx); // first: the facts include a close after it
      const query = { consumerIds: [consumerId], period, lastClosed, minimumMicros };
      const [facts] = await gatherInvoiceFacts(tx, query);
      if (facts === undefined) throw new Error('gathering the facts of one consumer returned none');
      const settledThrough = settledThroughOf(facts, lastClosed);
      if (settledThrough === null || period > settledThrough) return planUpcomingInvoice({ ...facts, settledThrough });
      return (await readInvoiceOfPeriod(tx, consumerId, period)) ?? nothingWasBilled(period);
    };
    return database.transaction(preview, { accountId: consumerId });
  };
}

export type PreviewInvoice = ReturnType<typeof createPreviewInvoice>;

function settledThroughOf({ lastPeriod, unclosedFrom }: GatheredFacts, lastClosed: string | null): string | null {
  if (unclosedFrom !== undefined) return lastPeriod;
  if (lastPeriod === null || lastClosed === null) return lastPeriod ?? lastClosed;
  return lastPeriod > lastClosed ? lastPeriod : lastClosed;
}

function nothingWasBilled(period: string): never {
  throw new AppError('not_found', `The period ${period} is closed, and there was nothing to bill in it.`);
}
