import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';

export type NewInvoiceStatus =
  | { readonly status: 'paid'; readonly paidAtMs: number }
  | { readonly status: 'uncollectible' | 'void' };

const text = `
update billing.invoice
set status = $2, paid_at = $3, collect_at = case when $2 in ('paid', 'void') then null else collect_at end
where invoice_id = $1`;

/** Of an invoice that is locked. The database refuses to take back what was paid or voided. */
export async function setInvoiceStatus(tx: Transaction, id: string, now: NewInvoiceStatus): Promise<void> {
  const paidAt = now.status === 'paid' ? toIso(now.paidAtMs) : null;
  await tx.query({ name: 'set-invoice-status', text }, [id, now.status, paidAt]);
}
