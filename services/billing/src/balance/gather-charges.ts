import { hourMs } from '@tollgate/kernel/durations';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { followingPeriod } from '../invoicing/due-period.ts';
import { findSpans } from '../invoicing/gather-invoice-facts.ts';
import { outstandingInParts } from '../invoicing/outstanding-in-parts.ts';
import { rateUsageOverTime } from '../usage/rate-consumers.ts';
import { readLastClosedPeriod } from '../usage/sql-watermark.ts';
import { type LayingFacts, type SpanCharge, planLaying, sumByCredit } from './plan-laying.ts';
import { listBilledMonths, listLayableInvoices, type BilledMonth, type LayableInvoice } from './sql-laid-invoices.ts';
import { lockCredits } from './sql-balance-credits.ts';
import { listGrants, putReserved, type Grant } from './sql-grants.ts';

/** The charges to lay on the grants of an account, after what was laid before. */
export type ChargesToLay = Pick<LayingFacts, 'carriedMicros' | 'carried' | 'charges'>;

interface InvoiceOf {
  readonly id: string;
  readonly accountId: string;
}

/** The charges that an invoice bills: its own, and those of the invoices before it that billed nothing. */
export async function gatherInvoiceCharges(tx: Transaction, { id, accountId }: InvoiceOf): Promise<ChargesToLay> {
  const invoices = await listLayableInvoices(tx, accountId);
  const until = invoices.findIndex((invoice) => invoice.id === id) + 1;
  const since = afterLastBilled(invoices.slice(0, until - 1));
  return chargesOf(tx, { accountId, before: invoices[since - 1], invoices: invoices.slice(since, until) });
}

/**
 * The charges that no invoice has laid on grants yet: those of invoices that were not collected yet, or billed nothing, and of
 * calls up to this time that are on no invoice.
 */
async function gatherOpenCharges(
  tx: Transaction,
  { accountId, period }: { readonly accountId: string; readonly period: string },
): Promise<ChargesToLay> {
  const lastClosed = await readLastClosedPeriod(tx);
  const invoices = await listLayableInvoices(tx, accountId);
  const firstUnlaid = invoices.findIndex((invoice) => isBilled(invoice) && isToLay(invoice));
  const since = afterLastBilled(firstUnlaid < 0 ? invoices : invoices.slice(0, firstUnlaid));
  const open = invoices.slice(since).filter((invoice) => !isBilled(invoice) || isToLay(invoice));
  const billed = await chargesOf(tx, { accountId, before: invoices[since - 1], invoices: open });
  const unbilled = await unbilledCharges(tx, {
    accountId,
    period,
    lastClosed,
    lastPeriod: invoices.at(-1)?.period ?? '',
  });
  return { ...billed, charges: [...billed.charges, ...unbilled] };
}

function isBilled({ totalCents }: LayableInvoice): boolean {
  return totalCents > 0n;
}

function isToLay({ isLaid, status }: LayableInvoice): boolean {
  return !isLaid && status !== 'paid' && status !== 'void';
}

function afterLastBilled(invoices: readonly LayableInvoice[]): number {
  return invoices.findLastIndex(isBilled) + 1;
}

interface Group {
  readonly accountId: string;
  /** The last invoice before them that billed something. */
  readonly before: LayableInvoice | undefined;
  readonly invoices: readonly LayableInvoice[];
}

async function chargesOf(tx: Transaction, { accountId, before, invoices }: Group): Promise<ChargesToLay> {
  const charges: SpanCharge[] = [];
  for (const billed of await listBilledMonths(
    tx,
    invoices.map(({ id }) => id),
  ))
    charges.push(...(await chargesOfMonth(tx, accountId, billed)));
  return { carriedMicros: before?.carriedOutMicros ?? 0n, carried: before?.carried, charges };
}

/**
 * The first invoice with calls of a month bills them by hour. What was counted since, and what a later invoice bills, has no
 * hours any more: it is of any time of the month.
 */
async function chargesOfMonth(
  tx: Transaction,
  accountId: string,
  { month, micros, isFirst }: BilledMonth,
): Promise<SpanCharge[]> {
  const hours = isFirst ? await chargesByHour(tx, accountId, month) : [];
  const otherMicros = micros - hours.reduce((sum, hour) => sum + hour.micros, 0n);
  return otherMicros === 0n ? hours : [...hours, ofMonth(month, otherMicros)];
}

function ofMonth(month: string, micros: bigint): SpanCharge {
  const { start: startMs, end: endMs } = periodBounds(month);
  return { startMs, endMs, micros };
}

async function chargesByHour(tx: Transaction, accountId: string, month: string): Promise<SpanCharge[]> {
  const { start: sinceMs, end: toMs } = periodBounds(month);
  const hours = new Map<number, bigint>();
  const query = { accountId, role: 'consumer', granularity: 'hour', sinceMs, fromMs: sinceMs, toMs } as const;
  for await (const lines of rateUsageOverTime(tx, query))
    for (const { startMs, chargeMicros } of lines) hours.set(startMs, (hours.get(startMs) ?? 0n) + chargeMicros);
  return [...hours]
    .toSorted(([one], [other]) => one - other)
    .map(([startMs, micros]) => ({ startMs, endMs: startMs + hourMs, micros }));
}

interface Unbilled {
  readonly accountId: string;
  readonly period: string;
  readonly lastClosed: string | null;
  /** The period of the last invoice; '' before the first. A close that is under way may have made it. */
  readonly lastPeriod: string;
}

/** Calls that were counted late for closed months come first, as they do on the next invoice. */
async function unbilledCharges(
  tx: Transaction,
  { accountId, period, lastClosed, lastPeriod }: Unbilled,
): Promise<SpanCharge[]> {
  const { spans } = await findSpans(tx, { consumerIds: [accountId], period, lastClosed });
  const [open, ...late] = spans;
  if (open === undefined) return [];
  const charges = new Map<string, bigint>();
  for await (const lines of outstandingInParts(tx, late))
    for (const { period: month, chargeMicros } of lines) charges.set(month, (charges.get(month) ?? 0n) + chargeMicros);
  const hours: SpanCharge[] = [];
  for (let month = open.firstPeriod; month <= open.lastPeriod; month = followingPeriod(month))
    if (month > lastPeriod) hours.push(...(await chargesByHour(tx, accountId, month)));
  return [...[...charges].map(([month, micros]) => ofMonth(month, micros)), ...hours];
}

/**
 * Lays all charges that no invoice has taken yet on the grants of an account, and stores how much of each grant they need. Its
 * credits are locked. Returns the grants that have something left.
 */
export async function reserveCredits(
  tx: Transaction,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<Grant[]> {
  await lockCredits(tx, accountId);
  const pools = (await listGrants(tx, accountId)).filter(({ cents }) => cents > 0n);
  if (pools.length === 0) return [];
  const charges = await gatherOpenCharges(tx, { accountId, period: periodOf(nowMs) });
  const laid = sumByCredit(planLaying({ ...charges, pools }));
  const grants = pools.map((grant) => ({ ...grant, reservedCents: laid.get(grant.creditId) ?? 0n }));
  await putReserved(tx, grants, nowMs);
  return grants;
}
