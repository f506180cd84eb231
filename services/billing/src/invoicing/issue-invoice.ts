import { dayMs } from '@tollgate/kernel/durations';
import { periodBounds } from '@tollgate/kernel/period';
import { uuidV8At } from '@tollgate/kernel/uuid';
import type { Invoice, StoredInvoiceStatus } from './invoice.ts';
import type { InvoicePlan } from './plan-invoice.ts';

const dueAfterMs = 14 * dayMs;

/** A new invoice without its number, which the database assigns without gaps. No new invoice has payments or refunds, or is held. */
export type IssuedInvoice = Omit<
  Invoice,
  'number' | 'refundedCents' | 'balancePaidCents' | 'balanceParts' | 'partPaidCents' | 'heldFor' | 'status'
> & {
  readonly status: StoredInvoiceStatus;
};

/** Issues a plan. An invoice that bills nothing is stored as paid, and shown as `carried`. */
export function issueInvoice(plan: InvoicePlan, issuedAtMs: number): IssuedInvoice {
  const isPaid = plan.totalCents === 0n;
  return {
    ...plan,
    id: invoiceIdOf(plan),
    status: isPaid ? 'paid' : 'open',
    issuedAtMs,
    dueAtMs: issuedAtMs + dueAfterMs,
    paidAtMs: isPaid ? issuedAtMs : null,
  };
}

/**
 * A consumer has one invoice of a period. Ids begin with the period, so a close writes to one place of each index,
 * however many months there are (ADR 197).
 */
export function invoiceIdOf({ consumerId, period }: Pick<InvoicePlan, 'consumerId' | 'period'>): string {
  return uuidV8At(periodBounds(period).start, 'invoice', consumerId, period);
}
