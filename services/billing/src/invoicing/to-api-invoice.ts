import { toIso } from '@tollgate/kernel/clock';
import { zeroMicros } from '@tollgate/kernel/money';
import { cardPaidCents, type BalancePart, type Invoice } from './invoice.ts';
import type { InvoiceSummary } from './sql-list-invoices.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Line } from '@tollgate/pricing/line';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';
import { toUsdNumber } from '@tollgate/kernel/usd-number';

export function toApiInvoice(invoice: Invoice) {
  const parts = { balance_parts: invoice.balanceParts.map(toApiBalancePart) };
  return { ...toApiIssued(invoice), ...parts, ...toApiLines(invoice) };
}

export function toApiInvoiceSummary(invoice: InvoiceSummary) {
  return { account_id: invoice.consumerId, ...toApiIssued(invoice) };
}

function toApiIssued(invoice: InvoiceSummary) {
  const { id, number, status, issuedAtMs, dueAtMs, paidAtMs } = invoice;
  return {
    id,
    number: toJsonInteger(number),
    period: invoice.period,
    status,
    issued_at: toIso(issuedAtMs),
    due_at: toIso(dueAtMs),
    paid_at: paidAtMs === null ? null : toIso(paidAtMs),
    held_for: invoice.heldFor,
    ...toApiAmounts(invoice),
    refunded_usd: toUsdNumber(centsToMicros(invoice.refundedCents)),
    balance_paid_usd: toUsdNumber(centsToMicros(invoice.balancePaidCents)),
    card_paid_usd: toUsdNumber(centsToMicros(cardPaidCents(invoice))),
  };
}

export function toApiUpcomingInvoice(upcoming: InvoicePlan | Invoice) {
  if ('id' in upcoming) return toApiInvoice(upcoming);
  const dates = { issued_at: null, due_at: null, paid_at: null, held_for: null };
  const draft = { id: null, number: null, period: upcoming.period, status: 'draft', ...dates };
  return { ...draft, ...toApiAmounts(upcoming), balance_parts: [], ...toApiLines(upcoming) };
}

function toApiBalancePart({ creditId, topUpId, cents, calls }: BalancePart) {
  return {
    credit_id: creditId,
    top_up_id: topUpId,
    amount_usd: toUsdNumber(centsToMicros(cents)),
    calls_from: calls === null ? null : toIso(calls.startMs),
    calls_to: calls === null ? null : toIso(calls.endMs),
  };
}

function toApiAmounts(invoice: Omit<InvoicePlan, 'lines' | 'lineCount'>) {
  const { chargeMicros, carriedInMicros, totalCents, carriedOutMicros } = invoice;
  return {
    currency: 'usd',
    charge_usd: toUsdNumber(chargeMicros),
    carried_in_usd: toUsdNumber(carriedInMicros),
    total_usd: toUsdNumber(centsToMicros(totalCents)),
    carried_out_usd: toUsdNumber(carriedOutMicros),
    refunded_usd: toUsdNumber(zeroMicros),
    balance_paid_usd: toUsdNumber(zeroMicros),
    card_paid_usd: toUsdNumber(zeroMicros),
  };
}

function toApiLines({ lines, lineCount, period }: InvoicePlan) {
  return {
    lines: lines.map((line) => toApiLine(line, period)),
    line_count: lineCount,
    lines_truncated: lines.length < lineCount,
  };
}

export function toApiLine(line: Line, invoicePeriod: string) {
  return {
    tool_id: line.toolId,
    price_id: line.priceId,
    charge: line.chargeIndex,
    name: line.name,
    quantity: line.quantity,
    unit: line.unit,
    charge_usd: toUsdNumber(line.chargeMicros),
    adjustment_of: line.period === invoicePeriod ? null : line.period,
  };
}
