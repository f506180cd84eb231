import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Invoice } from './invoice.ts';
import type { InvoicePlan } from './plan-invoice.ts';

const dueAfterMs = 14 * 86_400_000;

/** All of an invoice but the number, which the database gives out without gaps, and what only comes later. */
export type IssuedInvoice = Omit<Invoice, 'number' | 'refundedCents'>;

/** The id is made of consumer and period, which have one invoice. One that bills nothing is paid at once. */
export function issueInvoice(plan: InvoicePlan, issuedAtMs: number): IssuedInvoice {
  const isPaid = plan.totalCents === 0n;
  return {
    ...plan,
    id: uuidV8('invoice', plan.consumerId, plan.period),
    status: isPaid ? 'paid' : 'open',
    issuedAtMs,
    dueAtMs: issuedAtMs + dueAfterMs,
    paidAtMs: isPaid ? issuedAtMs : null,
  };
}
