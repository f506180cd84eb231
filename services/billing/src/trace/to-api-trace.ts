import type { Trace as ApiTrace } from '@tollgate/contracts/operator/trace';
import { toIso } from '@tollgate/kernel/clock';
import { sumMicros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type {
  InvoiceName,
  Trace,
  TracedCharge,
  TracedEarning,
  TracedInvoice,
  TracedPayment,
  TracedPayout,
} from './trace.ts';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';

/** The sides of the money to show. An account that calls its own tool sees both. */
export interface Viewer {
  readonly seesInvoice: boolean;
  readonly seesEarning: boolean;
}

/** Decides what an account sees: its own side of the money. The operator (undefined) sees both sides. */
export function viewerOf({ event, builderId }: Trace, accountId?: string): Viewer {
  return {
    seesInvoice: accountId === undefined || accountId === event.consumerId,
    seesEarning: accountId === undefined || accountId === builderId,
  };
}

export function toApiTrace(trace: Trace, { seesInvoice, seesEarning }: Viewer) {
  const { event, invoice, payment, earning, payout } = trace;
  return {
    event_id: event.eventId,
    tool_id: event.toolId,
    consumer_id: event.consumerId,
    pass_id: seesInvoice ? event.passId : null,
    accepted: {
      timestamp: toIso(event.occurredAtMs),
      received_at: toIso(event.receivedAtMs),
      success: event.success,
      duration_ms: event.durationMs === null ? null : toJsonInteger(event.durationMs),
    },
    counted: toApiRollup(trace),
    rated: toApiRated(trace),
    invoice: seesInvoice && invoice ? toApiInvoice(invoice) : null,
    payment: toApiPayment(seesInvoice ? payment : forBuilder(payment)),
    earning: seesEarning && earning ? toApiEarning(earning) : null,
    payout: seesEarning && payout ? toApiPayout(payout) : null,
  };
}

function toApiRollup({ event, hourMs, rollup }: Trace) {
  return {
    hour: toIso(hourMs),
    tool_id: event.toolId,
    consumer_id: event.consumerId,
    success: rollup.success,
    calls: toJsonInteger(rollup.calls),
    duration_ms: toJsonInteger(rollup.durationMs),
    measures: Object.fromEntries(rollup.measures),
  };
}

function toApiRated({ rollup, notBilled, charges, invoice }: Trace) {
  return {
    price_id: rollup.priceId,
    charge_usd: toUsdNumber(sumMicros(charges.map(({ call }) => call.chargeMicros))),
    not_billed: notBilled,
    charges: charges.map((charge) => toApiCharge(charge, invoice?.period)),
  };
}

function toApiCharge({ call, line, refundedMicros }: TracedCharge, invoicePeriod: string | undefined) {
  return {
    charge: call.chargeIndex,
    name: call.name,
    quantity: call.quantity,
    unit: call.unit,
    charge_usd: toUsdNumber(call.chargeMicros),
    refunded_usd: toUsdNumber(refundedMicros),
    line: line && {
      quantity: line.quantity,
      charge_usd: toUsdNumber(line.chargeMicros),
      adjustment_of: line.period === invoicePeriod ? null : line.period,
    },
  };
}

function toApiName({ id, number, period, status }: InvoiceName) {
  return { id, number: number === null ? null : toJsonInteger(number), period, status };
}

function toApiInvoice(invoice: TracedInvoice) {
  return {
    ...toApiName(invoice),
    total_usd: toApiCents(invoice.totalCents),
    issued_at: toApiTime(invoice.issuedAtMs),
    due_at: toApiTime(invoice.dueAtMs),
  };
}

/** Hides from the builder how the platform collects the invoice. */
function forBuilder(payment: TracedPayment): TracedPayment {
  const { waitsFor } = payment;
  const isOpen = waitsFor === null || waitsFor === 'period_close';
  return {
    ...payment,
    waitsFor: isOpen ? waitsFor : 'payment',
    nextAtMs: isOpen ? payment.nextAtMs : null,
    failureCode: null,
    collectedBy: null,
    refundedCents: null,
  };
}

function toApiPayment(payment: TracedPayment) {
  return {
    status: payment.status satisfies ApiTrace['payment']['status'],
    paid_at: toApiTime(payment.paidAtMs),
    waits_for: payment.waitsFor satisfies ApiTrace['payment']['waits_for'],
    next_at: toApiTime(payment.nextAtMs),
    failure_code: payment.failureCode,
    collected_by: payment.collectedBy && toApiName(payment.collectedBy),
    refunded_usd: toApiCents(payment.refundedCents),
  };
}

function toApiEarning({ status, releasedAtMs, split }: TracedEarning) {
  return {
    status,
    released_at: toApiTime(releasedAtMs),
    earning_usd: split && toUsdNumber(split.earningMicros),
    fee_usd: split && toUsdNumber(split.feeMicros),
  };
}

function toApiPayout(payout: TracedPayout) {
  return {
    status: payout.status,
    id: payout.id,
    period: payout.period,
    paid_at: toApiTime(payout.paidAtMs),
    waits_for: payout.waitsFor,
    next_at: toApiTime(payout.nextAtMs),
    failure_code: payout.failureCode,
  };
}

function toApiTime(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}

function toApiCents(cents: bigint | null) {
  return cents === null ? null : toUsdNumber(centsToMicros(cents));
}
