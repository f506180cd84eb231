import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';

const insertText = `
insert into billing.held_invoice (invoice_id, limit_cents, held_at) values ($1, $2, $3)
on conflict do nothing returning 1`;

export interface Hold {
  readonly invoiceId: string;
  readonly limitCents: bigint;
  readonly heldAtMs: number;
}

/** Holds a locked invoice until the operator confirms it. True if it was not held before. */
export async function holdInvoice(tx: Transaction, { invoiceId, limitCents, heldAtMs }: Hold): Promise<boolean> {
  return (await tx.query(insertText, [invoiceId, String(limitCents), toIso(heldAtMs)])).length > 0;
}

const readText = `select confirmed_at is not null as is_confirmed from billing.held_invoice where invoice_id = $1`;

/** Whether a locked invoice waits for the operator, was confirmed, or was never held. */
export async function readHold(tx: Transaction, invoiceId: string): Promise<'none' | 'waiting' | 'confirmed'> {
  const [row] = await tx.query<{ is_confirmed: boolean }>(readText, [invoiceId]);
  if (row === undefined) return 'none';
  return row.is_confirmed ? 'confirmed' : 'waiting';
}

const confirmText = `update billing.held_invoice set confirmed_at = $2 where invoice_id = $1`;

export async function confirmHold(tx: Transaction, invoiceId: string, confirmedAtMs: number): Promise<void> {
  await tx.query(confirmText, [invoiceId, toIso(confirmedAtMs)]);
}

const countText = `
select count(*)::int as invoices from billing.held_invoice h join billing.invoice i using (invoice_id)
where h.confirmed_at is null and i.status = any ($1)`;

/** Counts invoices with one of these statuses that wait for the operator. */
export async function countHeldInvoices(db: Queryable, statuses: readonly string[]): Promise<number> {
  const statement = { name: 'billing.count_held_invoices', text: countText };
  return onlyRow(await db.query<{ invoices: number }>(statement, [statuses])).invoices;
}
