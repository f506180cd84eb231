import type { Transaction } from '@tollgate/database/database';
import type { InvoiceStatus } from './invoice.ts';

export interface LockedInvoice {
  readonly id: string;
  readonly consumerId: string;
  readonly period: string;
  readonly status: InvoiceStatus;
  readonly totalCents: bigint;
  readonly issuedAtMs: number;
  readonly dueAtMs: number;
  /** When it is next collected by itself; null: not any more, or just now. */
  readonly collectAtMs: number | null;
}

const text = `
select consumer_id, period, status, total_cents, issued_at, due_at, collect_at from billing.invoice where invoice_id = $1 for update`;

/** Until the transaction ends nobody else pays, refunds, ages or voids it. */
export async function lockInvoice(tx: Transaction, id: string): Promise<LockedInvoice | undefined> {
  const [row] = await tx.query<DbInvoice>({ name: 'lock-invoice', text }, [id]);
  if (!row) return undefined;
  return {
    id,
    consumerId: row.consumer_id,
    period: row.period,
    status: row.status,
    totalCents: BigInt(row.total_cents),
    issuedAtMs: row.issued_at.getTime(),
    dueAtMs: row.due_at.getTime(),
    collectAtMs: row.collect_at?.getTime() ?? null,
  };
}

interface DbInvoice {
  readonly consumer_id: string;
  readonly period: string;
  readonly status: InvoiceStatus;
  readonly total_cents: string;
  readonly issued_at: Date;
  readonly due_at: Date;
  readonly collect_at: Date | null;
}
