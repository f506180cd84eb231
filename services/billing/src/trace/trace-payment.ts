import { isCollectable } from '../collection/sql-collectable-invoices.ts';
import { closableAtMs } from '../invoicing/due-period.ts';
import type { InvoiceStatus } from '../invoicing/invoice.ts';
import type { AttemptStatus } from '../processor/attempt.ts';
import type { TracedPayment } from './trace.ts';

/** The invoice that collects the call's charge, with the state of its collection. */
export interface Collecting {
  readonly id: string;
  readonly number: bigint;
  readonly period: string;
  readonly status: Exclude<InvoiceStatus, 'carried'>;
  readonly paidAtMs: number | null;
  readonly collectAtMs: number | null;
  readonly refundedCents: bigint;
  readonly hasPaymentMethod: boolean;
  readonly lastCharge: { readonly status: AttemptStatus; readonly failureCode: string | null } | null;
}

export interface PaymentFacts {
  readonly isBilled: boolean;
  /** Null if the call is on a draft, or if no invoice bills its charge yet. */
  readonly collecting: Collecting | null;
  /** The call is on an invoice. */
  readonly isInvoiced: boolean;
  /** The next period to close, or the call's own if that is later. */
  readonly nextPeriod: string;
}

const nothing = {
  paidAtMs: null,
  waitsFor: null,
  nextAtMs: null,
  failureCode: null,
  collectedBy: null,
  refundedCents: null,
} as const;

/** Traces whether a call is paid, or what it waits for. */
export function tracePayment({ isBilled, isInvoiced, collecting, nextPeriod }: PaymentFacts): TracedPayment {
  if (!isBilled) return { ...nothing, status: 'nothing_to_pay' };
  if (collecting === null) {
    const waitsFor = isInvoiced ? 'next_invoice' : 'period_close';
    return { ...nothing, status: 'waiting', waitsFor, nextAtMs: closableAtMs(nextPeriod) };
  }
  const { id, number, period, status, paidAtMs, refundedCents } = collecting;
  const known = { ...nothing, paidAtMs, refundedCents, collectedBy: { id, number, period, status } };
  if (status !== 'open' && status !== 'past_due')
    return { ...known, status, ...(isCollectable(status) && { failureCode: failureCodeOf(collecting) }) };
  return { ...known, status: 'waiting', ...waitOf(collecting) };
}

function waitOf(collecting: Collecting): Pick<TracedPayment, 'waitsFor' | 'nextAtMs' | 'failureCode'> {
  const { collectAtMs, hasPaymentMethod, lastCharge } = collecting;
  const failureCode = failureCodeOf(collecting);
  if (lastCharge?.status === 'unknown') return { waitsFor: 'outcome', nextAtMs: null, failureCode };
  if (!hasPaymentMethod || collectAtMs === null) return { waitsFor: 'payment_method', nextAtMs: null, failureCode };
  return { waitsFor: lastCharge === null ? 'collection' : 'retry', nextAtMs: collectAtMs, failureCode };
}

function failureCodeOf({ lastCharge }: Collecting): string | null {
  return lastCharge?.failureCode ?? null;
}
