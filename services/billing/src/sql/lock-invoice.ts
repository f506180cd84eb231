import type { Transaction } from '@tollgate/runtime/postgres/database';
import type { InvoiceStatus } from '../domain/invoicing/invoice.ts';

export interface LockedInvoice {
  readonly id: string;
  readonly consumerId: string;
  readonly period: string;
  readonly status: InvoiceStatus;
  readonly totalCents: bigint;
}

const text = `
select consumer_id, period, status, total_cents from billing.invoice where invoice_id = $1 for update`;

/** Until the transaction ends nobody else pays, refunds, ages or voids it. */
export async function lockInvoice(tx: Transaction, id: string): Promise<LockedInvoice | undefined> {
  const [row] = await tx.query<DbInvoice>({ name: 'lock-invoice', text }, [id]);
  if (!row) return undefined;
  const { consumer_id: consumerId, period, status, total_cents: cents } = row;
  return { id, consumerId, period, status, totalCents: BigInt(cents) };
}

interface DbInvoice {
  readonly consumer_id: string;
  readonly period: string;
  readonly status: InvoiceStatus;
  readonly total_cents: string;
}
