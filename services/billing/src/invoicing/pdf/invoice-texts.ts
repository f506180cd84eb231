import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Line } from '@tollgate/pricing/line';
import { micros, sumMicros } from '@tollgate/kernel/money';
import { cardPaidCents, type Invoice } from '../invoice.ts';
import { decimalsOf, formatAmount, formatQuantity } from './format-amount.ts';
import { formatDay, formatDays, formatPeriod } from './format-dates.ts';
import type { PrintedInvoice } from '../invoices.ts';
import { toStatusText, type StatusText, buyerLines, issuerLines, type PartyText } from './status-text.ts';
import { priceDetails } from './price-details.ts';
import type { ToolSum } from '../sql-invoice-parties.ts';

export interface FactText {
  readonly label: string;
  readonly text: string;
  readonly detail: string;
}

export interface AmountText {
  readonly label: string;
  readonly amount: string;
}

/** Every text of an invoice. The layout decides where it stands. */
export interface InvoiceTexts {
  readonly title: string;
  readonly period: string;
  readonly id: string;
  /** The issuer and the buyer. */
  readonly parties: readonly PartyText[];
  readonly facts: readonly FactText[];
  readonly status: StatusText;
  readonly lines: readonly LineText[];
  readonly sums: readonly AmountText[];
  readonly total: AmountText;
  /** The payments of the total, if it took more than one charge of a card. */
  readonly payments: readonly AmountText[];
  readonly note: string;
}

export function toInvoiceTexts(printed: PrintedInvoice): InvoiceTexts {
  const { invoice, toolSums, toolNames, parties } = printed;
  const sums = toolSums === null ? null : withOthers(toolSums, invoice);
  const decimals = decimalsOf([
    ...(sums ?? invoice.lines).map(({ chargeMicros }) => chargeMicros),
    invoice.carriedInMicros,
    invoice.carriedOutMicros,
  ]);
  const notes = [parties?.issuer.taxNote, noteOf(invoice), sums ? summedNote(invoice) : undefined];
  return {
    title: `Invoice ${invoice.number}`,
    period: formatPeriod(invoice.period),
    id: invoice.id,
    parties: [
      ...(parties ? [issuerLines(parties.issuer)] : []),
      buyerLines({ ...printed, consumerId: invoice.consumerId }),
    ],
    facts: factsOf(printed),
    status: toStatusText(invoice),
    lines: sums?.map((sum) => toSumText(sum, { decimals, toolNames })) ?? toLineTexts({ ...printed, decimals }),
    sums: sumsOf(printed, decimals),
    total: usdText('Total', invoice.totalCents),
    payments: paymentsOf(printed),
    note: notes.filter((note) => note !== undefined).join(' '),
  };
}

function factsOf({ invoice, chargeIds }: PrintedInvoice): FactText[] {
  const { period, issuedAtMs, dueAtMs, number } = invoice;
  return [
    { label: 'Period', text: formatPeriod(period), detail: formatDays(period) },
    { label: 'Issued', text: formatDay(issuedAtMs), detail: '' },
    { label: 'Due', text: formatDay(dueAtMs), detail: '' },
    { label: 'Payment reference', text: `TOLLGATE-${number}`, detail: nameCharges(chargeIds) },
  ];
}

function sumsOf({ invoice, parties }: PrintedInvoice, decimals: number): AmountText[] {
  const { chargeMicros, carriedInMicros, carriedOutMicros } = invoice;
  const tax = parties ? [{ label: 'Tax', amount: formatAmount(0n, decimals) }] : [];
  return [
    { label: 'Charges', amount: formatAmount(chargeMicros, decimals) },
    { label: 'Carried in from earlier invoices', amount: formatAmount(carriedInMicros, decimals) },
    { label: 'Carried out to the next invoice', amount: formatAmount(0n - carriedOutMicros, decimals) },
    ...tax,
  ];
}

/** An open invoice shows nothing of the balance, whose part may still change. */
function paymentsOf({ invoice, chargeIds }: PrintedInvoice): AmountText[] {
  const { status, balancePaidCents } = invoice;
  const cardCents = cardPaidCents(invoice);
  if (status !== 'paid') return cardCents > 0n ? [usdText('Paid by card so far', cardCents)] : [];
  const isInParts = chargeIds.length > 1;
  const byCard = isInParts ? `Paid by card in ${chargeIds.length} charges` : 'Paid by card';
  return [
    ...balanceTexts(invoice),
    ...(cardCents > 0n && (isInParts || balancePaidCents > 0n) ? [usdText(byCard, cardCents)] : []),
  ];
}

/** Credit that the operator granted stands apart from what the consumer has paid. */
function balanceTexts({
  balancePaidCents,
  balanceParts,
}: Pick<Invoice, 'balancePaidCents' | 'balanceParts'>): AmountText[] {
  const grants = balanceParts.filter(({ topUpId }) => topUpId === null);
  const grantedCents = grants.reduce((sum, { cents }) => sum + cents, 0n);
  const paidCents = balancePaidCents - grantedCents;
  return [
    ...(grantedCents > 0n ? [usdText('Paid by granted credit', grantedCents)] : []),
    ...(paidCents > 0n ? [usdText('Paid from the balance', paidCents)] : []),
  ];
}

/** The print has room for one. */
function nameCharges([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

export function usdText(label: string, cents: bigint): AmountText {
  return { label, amount: `USD ${formatAmount(centsToMicros(cents), 2)}` };
}

interface LinesContext extends Pick<PrintedInvoice, 'invoice' | 'prices' | 'toolNames'> {
  readonly decimals: number;
}

function toLineTexts(context: LinesContext): LineText[] {
  const { lines } = context.invoice;
  const isTwin = createTwinCheck(lines);
  return lines.map((line) => toLineText(line, { ...context, isTwin: isTwin(line) }));
}

interface LineContext extends LinesContext {
  readonly isTwin: boolean;
}

function toLineText(line: Line, { invoice, prices, toolNames, decimals, isTwin }: LineContext): LineText {
  const adjustment = line.period === invoice.period ? [] : [`Adjustment for ${formatPeriod(line.period)}`];
  const charge = prices.get(line.priceId)?.charges[line.chargeIndex];
  return {
    ...nameTool(line.toolId, toolNames),
    charge: line.name ?? `Charge ${line.chargeIndex + 1}`,
    details: [
      ...adjustment,
      ...(charge ? priceDetails(charge) : []),
      ...(isTwin ? [`Price version ${line.priceId}`] : []),
    ],
    quantity: nameQuantity(line),
    amount: formatAmount(line.chargeMicros, decimals),
  };
}

/** A price that changes within a month gives two lines of the same charge; they name their price version. */
function createTwinCheck(lines: readonly Line[]): (line: Line) => boolean {
  const keyOf = ({ period, toolId, chargeIndex }: Line) => `${period} ${toolId} ${chargeIndex}`;
  const groups = Map.groupBy(lines, keyOf);
  return (line) => groups.get(keyOf(line))?.some(({ priceId }) => priceId !== line.priceId) ?? false;
}

function noteOf({ totalCents, carriedOutMicros }: Invoice): string {
  if (totalCents === 0n && carriedOutMicros !== 0n)
    return 'The amount owed is below the minimum of an invoice. Nothing is billed now; the amount is carried out to the next invoice.';
  return 'Charges are exact to the millionth of a dollar. Whole cents are billed; the rest is carried out to the next invoice.';
}

/** The texts of one row of an invoice. */
export interface LineText {
  readonly tool: string;
  /** The tool's id, below a name that differs from it. */
  readonly toolDetail: string;
  readonly charge: string;
  /** Distinguishes the line from another one of the same tool and charge. */
  readonly details: readonly string[];
  readonly quantity: string;
  readonly amount: string;
}

/** Names a tool as it was called when the invoice was issued. */
export function nameTool(toolId: string, names: ReadonlyMap<string, string>): Pick<LineText, 'tool' | 'toolDetail'> {
  const name = names.get(toolId) ?? toolId;
  return { tool: name, toolDetail: name === toolId ? '' : toolId };
}

/** "1,201 calls", "1 call". A metadata key stays as it is. */
function nameQuantity({ quantity, unit }: Pick<Line, 'quantity' | 'unit'>): string {
  const isOne = quantity === '1' || quantity === '-1';
  return `${formatQuantity(quantity)} ${isOne && unit === 'calls' ? 'call' : unit}`;
}

type Sum = Omit<ToolSum, 'toolId'> & { readonly toolId: string | null };

/** Adds the sum of the tools that have no row of their own, so that the rows add up to the charges. */
function withOthers(sums: readonly ToolSum[], { lineCount, chargeMicros }: Invoice): Sum[] {
  const lines = lineCount - sums.reduce((total, sum) => total + sum.lines, 0);
  if (lines === 0) return [...sums];
  const own = sumMicros(sums.map((sum) => sum.chargeMicros));
  return [...sums, { toolId: null, adjustmentOf: null, lines, chargeMicros: micros(chargeMicros - own) }];
}

interface SumContext {
  readonly decimals: number;
  readonly toolNames: ReadonlyMap<string, string>;
}

function toSumText({ toolId, adjustmentOf, lines, chargeMicros }: Sum, context: SumContext): LineText {
  const { decimals, toolNames } = context;
  return {
    ...(toolId === null ? { tool: 'All other tools', toolDetail: '' } : nameTool(toolId, toolNames)),
    charge: nameCount(lines),
    details: adjustmentOf === null ? [] : [`Adjustment for ${formatPeriod(adjustmentOf)}`],
    quantity: '',
    amount: formatAmount(chargeMicros, decimals),
  };
}

function summedNote({ id, lineCount }: Invoice): string {
  return `The ${nameCount(lineCount)} of this invoice are added up by tool. All of them: GET /v1/billing/invoices/${id}/lines.`;
}

function nameCount(lines: number): string {
  return lines === 1 ? '1 line' : `${formatQuantity(String(lines))} lines`;
}
