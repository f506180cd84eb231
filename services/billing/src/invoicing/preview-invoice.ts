import { AppError } from '@tollgate/kernel/app-error';
import { type Micros, zeroMicros, micros, sumMicros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { gatherInvoiceFacts, type FactsQuery, type GatheredFacts, findSpans } from './gather-invoice-facts.ts';
import type { Invoice } from './invoice.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import { planUpcomingInvoice } from './plan-upcoming-invoice.ts';
import { readLastClosedPeriod } from '../usage/sql-watermark.ts';
import { TooMuchUsage } from '../usage/sql-sum-usage-by-price.ts';
import { readInvoiceOfPeriod, shownLinesMax } from './sql-invoices.ts';
import { createLineSums } from './outstanding-lines.ts';
import { outstandingInParts } from './outstanding-in-parts.ts';
import { readLastInvoice } from './sql-read-billed.ts';
import { followingPeriod } from './due-period.ts';

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

interface FactsInParts {
  /** One line stands for all lines of its month. */
  readonly facts: GatheredFacts;
  /** Puts the first lines into a plan in place of those that stand for them. */
  readonly withLines: (plan: InvoicePlan) => InvoicePlan;
}

/** Gathers the facts of one consumer part by part, and keeps at most `linesMax` lines of each month. */
async function gatherInParts(
  tx: Transaction,
  query: FactsQuery & { readonly consumerId: string },
  linesMax: number,
): Promise<FactsInParts> {
  const { consumerId, period, minimumMicros } = query;
  const { spans, unclosed, late } = await findSpans(tx, query);
  const last = await readLastInvoice(tx, consumerId);
  const byMonth = createLineSums((line) => line.period);
  const kept: Line[] = [];
  const keptOf = (month: string) => kept.filter((line) => line.period === month);
  for await (const lines of outstandingInParts(tx, spans)) {
    byMonth.add(lines);
    const [first] = lines;
    if (first !== undefined) kept.push(...lines.slice(0, linesMax - keptOf(first.period).length));
  }
  const facts = {
    consumerId,
    period,
    minimumMicros,
    rated: byMonth.sums(),
    billed: [],
    carriedInMicros: last?.carriedOutMicros ?? zeroMicros,
    lastPeriod: last?.period ?? null,
    unclosedFrom: unclosed.get(consumerId),
    late: late.get(consumerId) ?? [],
  };
  return { facts, withLines: (plan) => expand(plan, { keptOf, linesMax }) };
}

interface Kept {
  readonly keptOf: (month: string) => readonly Line[];
  readonly linesMax: number;
}

function expand(plan: InvoicePlan, { keptOf, linesMax }: Kept): InvoicePlan {
  const lineCount = plan.lines.reduce((total, sum) => total + Number(sum.quantity), 0);
  const lines = plan.lines.flatMap((sum) => keptOf(sum.period)).slice(0, linesMax);
  return { ...plan, lines, lineCount };
}

export interface ReadUnbilledDeps {
  readonly database: Database;
  readonly previewInvoice: PreviewInvoice;
}

/**
 * Reads what an account's calls come to that no invoice has billed yet: the invoices of the open months as they would be
 * now, with what the last one carries on. Throws `unavailable` while another large preview is made.
 */
export function createReadUnbilled(deps: ReadUnbilledDeps) {
  return async function readUnbilled(consumerId: string, nowMs: number): Promise<Micros> {
    let [billedMicros, carriedMicros] = [zeroMicros, zeroMicros];
    for (const { totalCents, carriedOutMicros } of await planOpenMonths(deps, consumerId, nowMs)) {
      billedMicros = micros(billedMicros + centsToMicros(totalCents));
      carriedMicros = carriedOutMicros;
    }
    return micros(billedMicros + carriedMicros);
  };
}

/** The same of the calls alone, without what the last stored invoice carries on. */
export function createReadUnbilledCharges(deps: ReadUnbilledDeps) {
  return async function readUnbilledCharges(consumerId: string, nowMs: number): Promise<Micros> {
    return sumMicros((await planOpenMonths(deps, consumerId, nowMs)).map(({ chargeMicros }) => chargeMicros));
  };
}

async function planOpenMonths(
  { database, previewInvoice }: ReadUnbilledDeps,
  consumerId: string,
  nowMs: number,
): Promise<InvoicePlan[]> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  const plans: InvoicePlan[] = [];
  for (const period of openMonths(lastClosed, nowMs)) {
    const plan = await previewInvoice({ consumerId, period });
    if (!('id' in plan)) plans.push(plan); // else its close has stored it meanwhile
  }
  return plans;
}

function openMonths(lastClosed: string | null, nowMs: number): string[] {
  const current = periodOf(nowMs);
  const months: string[] = [];
  let month = lastClosed === null ? periodOf(periodBounds(current).start - 1) : followingPeriod(lastClosed);
  for (; month <= current; month = followingPeriod(month)) months.push(month);
  return months;
}
