import type { InvoiceStatus } from '../invoicing/invoice.ts';

/** Of what is owed: a payment method is charged for it, and a charge that succeeds pays it. */
export const collectableStatuses: readonly InvoiceStatus[] = ['open', 'past_due', 'uncollectible'];

export function isCollectable(status: InvoiceStatus): boolean {
  return collectableStatuses.includes(status);
}
