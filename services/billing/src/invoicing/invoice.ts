import type { InvoicePlan } from './plan-invoice.ts';

export type InvoiceStatus = 'open' | 'paid' | 'past_due' | 'uncollectible' | 'void';

/** A plan that was issued. Only its status, `paidAtMs` and the refunded amount change afterwards. */
export interface Invoice extends InvoicePlan {
  readonly id: string;
  readonly number: bigint;
  readonly status: InvoiceStatus;
  readonly issuedAtMs: number;
  readonly dueAtMs: number;
  readonly paidAtMs: number | null;
  readonly refundedCents: bigint;
}
