import { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import { gatherInParts, type FactsInParts } from './gather-in-parts.ts';
import { gatherInvoiceFacts, type FactsQuery, type GatheredFacts } from './gather-invoice-facts.ts';
import type { Invoice } from './invoice.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import { planUpcomingInvoice } from './plan-upcoming-invoice.ts';
import { readLastClosedPeriod } from '../usage/sql-last-closed-period.ts';
import { TooMuchUsage } from '../usage/too-much-usage.ts';
import { readInvoiceOfPeriod, shownLinesMax } from './sql-invoices.ts';

export interface PreviewDeps {
  readonly database: Database;
  readonly minimumMicros: Micros;
}

export interface PreviewQuery {
  readonly consumerId: string;
  readonly period: string;
}

/** A preview of more rows of usage is made in parts: rating them at once would keep the process from other work. */
const usageRowsMax = 500;
const retryAfterSeconds = 10;

type Gather = (tx: Transaction, query: FactsQuery & PreviewQuery) => Promise<FactsInParts>;

/**
 * Returns the invoice of a period: the stored one if there is one, else a plan of it as it would be now, with the first
 * thousand lines. Throws `not_found` for a closed period in which the consumer has no invoice, and `unavailable` while
 * another large preview is made: one takes seconds, and all together they would take all connections.
 */
export function createPreviewInvoice({ database, minimumMicros }: PreviewDeps) {
  let isMakingLarge = false;

  return async function previewInvoice(asked: PreviewQuery): Promise<InvoicePlan | Invoice> {
    const { consumerId: accountId } = asked;
    try {
      return await database.transaction((tx) => preview(tx, asked, gatherAtOnce), { accountId });
    } catch (error) {
      if (!(error instanceof TooMuchUsage)) throw error;
    }
    if (isMakingLarge) throw new AppError('unavailable', 'Another large preview is being made.', { retryAfterSeconds });
    isMakingLarge = true;
    try {
      const options = { accountId, isolation: 'snapshot' } as const;
      return await database.transaction((tx) => preview(tx, asked, gatherLarge), options);
    } finally {
      isMakingLarge = false;
    }
  };

  async function preview(tx: Transaction, asked: PreviewQuery, gather: Gather): Promise<InvoicePlan | Invoice> {
    const { consumerId, period } = asked;
    const lastClosed = await readLastClosedPeriod(tx); // first: the facts include a close after it
    const query = { ...asked, consumerIds: [consumerId], lastClosed, minimumMicros, usageRowsMax };
    const { facts, withLines } = await gather(tx, query);
    const settledThrough = settledThroughOf(facts, lastClosed);
    if (settledThrough === null || period > settledThrough)
      return withLines(planUpcomingInvoice({ ...facts, settledThrough }));
    return (await readInvoiceOfPeriod(tx, consumerId, period)) ?? nothingWasBilled(period);
  }
}

export type PreviewInvoice = ReturnType<typeof createPreviewInvoice>;

const gatherLarge: Gather = (tx, query) => gatherInParts(tx, query, shownLinesMax);

const gatherAtOnce: Gather = async (tx, query) => {
  const [facts] = await gatherInvoiceFacts(tx, query);
  if (facts === undefined) throw new Error('gathering the facts of one consumer returned none');
  return { facts, withLines: ({ lines, ...plan }) => ({ ...plan, lines: lines.slice(0, shownLinesMax) }) };
};

function settledThroughOf({ lastPeriod, unclosedFrom }: GatheredFacts, lastClosed: string | null): string | null {
  if (unclosedFrom !== undefined) return lastPeriod;
  if (lastPeriod === null || lastClosed === null) return lastPeriod ?? lastClosed;
  return lastPeriod > lastClosed ? lastPeriod : lastClosed;
}

function nothingWasBilled(period: string): never {
  throw new AppError('not_found', `The period ${period} is closed, and there was nothing to bill in it.`);
}
