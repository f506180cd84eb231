import type { InvoiceStatus } from '../invoicing/invoice.ts';

/** Statuses of invoices that are owed: a payment method is charged for them, and a successful charge pays them. */
export const collectableStatuses: readonly InvoiceStatus[] = ['open', 'past_due', 'uncollectible'];

export function isCollectable(status: InvoiceStatus): boolean {
  return collectableStatuses.includes(status);
}
