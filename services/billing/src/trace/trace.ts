import type { Micros } from '@tollgate/kernel/money';
import type { InvoiceStatus } from '../invoicing/invoice.ts';
import type { Line } from '@tollgate/pricing/line';
import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';

/** A counted event, as the aggregator keeps it. */
export interface TracedEvent {
  readonly eventId: string;
  readonly consumerId: string;
  readonly toolId: string;
  readonly occurredAtMs: number;
  readonly receivedAtMs: number;
  readonly success: boolean;
  readonly durationMs: bigint | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly passId: string | null;
}

export type NotBilled = 'own_call' | 'failed_call' | 'nothing_to_charge';

/** One charge of the price, and the line that it is in. */
export interface TracedCharge {
  /** The call's part of the line. */
  readonly call: TimedLine;
  readonly line: Line | null;
  readonly refundedMicros: Micros;
}

export interface InvoiceName {
  /** Null for a draft. */
  readonly id: string | null;
  readonly number: bigint | null;
  readonly period: string;
  readonly status: InvoiceStatus | 'draft';
}

export interface TracedInvoice extends InvoiceName {
  readonly totalCents: bigint | null;
  readonly issuedAtMs: number | null;
  readonly dueAtMs: number | null;
}

export interface TracedPayment {
  readonly status: 'nothing_to_pay' | 'waiting' | 'paid' | 'uncollectible' | 'void';
  readonly paidAtMs: number | null;
  readonly waitsFor:
    | 'period_close'
    | 'next_invoice'
    | 'payment_method'
    | 'collection'
    | 'outcome'
    | 'retry'
    | 'payment'
    | null;
  readonly nextAtMs: number | null;
  readonly failureCode: string | null;
  readonly collectedBy: InvoiceName | null;
  readonly refundedCents: bigint | null;
}

export interface TracedEarning {
  readonly status: 'expected' | 'released' | 'written_off';
  readonly releasedAtMs: number | null;
  readonly split: { readonly earningMicros: Micros; readonly feeMicros: Micros } | null;
}

export interface TracedPayout {
  readonly status: 'waiting' | 'scheduled' | 'paid' | 'failed';
  readonly id: string | null;
  readonly period: string | null;
  readonly paidAtMs: number | null;
  readonly waitsFor: 'payment' | 'payout_day' | 'payout_account' | 'minimum' | 'transfer' | 'outcome' | 'retry' | null;
  readonly nextAtMs: number | null;
  readonly failureCode: string | null;
}

/** One call from its receipt to its payout, as far as it has come. */
export interface Trace {
  readonly event: TracedEvent;
  readonly hourMs: number;
  /** The rollup that counts it. */
  readonly rollup: CountedUsage;
  readonly builderId: string;
  readonly notBilled: NotBilled | null;
  readonly charges: readonly TracedCharge[];
  /** For a call that is not billed the invoice, earning and payout are null, and the payment is `nothing_to_pay`. */
  readonly invoice: TracedInvoice | null;
  readonly payment: TracedPayment;
  readonly earning: TracedEarning | null;
  readonly payout: TracedPayout | null;
}
