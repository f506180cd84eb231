import { micros } from '@tollgate/kernel/money';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import type { Invoice, InvoiceStatus } from './invoice.ts';
import type { Line } from '@tollgate/pricing/line';
import { fromDbLine, lineColumns, type DbLine } from './sql-db-line.ts';

const invoiceColumns = `invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
  carried_out_micros, issued_at, due_at, paid_at, (select coalesce(sum(r.amount_cents), 0) from billing.refund r
    where r.invoice_id = invoice.invoice_id and r.status = 'succeeded') as refunded_cents`;

const pageText = `select ${invoiceColumns} from billing.invoice
where consumer_id = $1 and ($2::timestamptz is null or (issued_at, invoice_id) < ($2, $3::uuid))
order by issued_at desc, invoice_id desc limit $4`;
const totalText = `select count(*)::int as total from billing.invoice where consumer_id = $1`;
const byIdText = `select ${invoiceColumns} from billing.invoice where consumer_id = $1 and invoice_id = $2`;
const byPeriodText = `select ${invoiceColumns} from billing.invoice where consumer_id = $1 and period = $2`;
const linesText = `select ${lineColumns}
from billing.invoice i join billing.invoice_line l using (invoice_id)
where i.invoice_id = any ($1::uuid[]) order by i.invoice_id, l.place`;

export interface InvoicePageQuery extends PageQuery {
  readonly consumerId: string;
}

/** Newest first over (issued_at, id). */
export async function readInvoicePage(tx: Transaction, query: InvoicePageQuery): Promise<ListPage<Invoice>> {
  const { consumerId, limit, after } = query;
  const afterTime = after ? new Date(after.createdAtMs) : null;
  const rows = await tx.query<DbInvoice>(pageText, [consumerId, afterTime, after?.id ?? null, limit + 1]);
  const { total } = onlyRow(await tx.query<{ total: number }>(totalText, [consumerId]));
  return { rows: await withLines(tx, rows), total };
}

export async function readInvoice(tx: Transaction, consumerId: string, id: string): Promise<Invoice | undefined> {
  const [invoice] = await withLines(tx, await tx.query<DbInvoice>(byIdText, [consumerId, id]));
  return invoice;
}

export async function readInvoiceOfPeriod(
  tx: Transaction,
  consumerId: string,
  period: string,
): Promise<Invoice | undefined> {
  const [invoice] = await withLines(tx, await tx.query<DbInvoice>(byPeriodText, [consumerId, period]));
  return invoice;
}

interface DbInvoice {
  readonly invoice_id: string;
  readonly number: bigint;
  readonly consumer_id: string;
  readonly period: string;
  readonly status: InvoiceStatus;
  readonly charge_micros: string;
  readonly carried_in_micros: string;
  readonly total_cents: string;
  readonly carried_out_micros: string;
  readonly issued_at: Date;
  readonly due_at: Date;
  readonly paid_at: Date | null;
  readonly refunded_cents: string;
}

async function withLines(tx: Transaction, rows: readonly DbInvoice[]): Promise<Invoice[]> {
  if (rows.length === 0) return [];
  const lines = await tx.query<DbLine>(linesText, [rows.map((row) => row.invoice_id)]);
  const byInvoice = Map.groupBy(lines, (line) => line.invoice_id);
  return rows.map((row) => fromDbInvoice(row, (byInvoice.get(row.invoice_id) ?? []).map(fromDbLine)));
}

function fromDbInvoice(row: DbInvoice, lines: readonly Line[]): Invoice {
  return {
    id: row.invoice_id,
    number: row.number,
    consumerId: row.consumer_id,
    period: row.period,
    status: row.status,
    lines,
    chargeMicros: micros(BigInt(row.charge_micros)),
    carriedInMicros: micros(BigInt(row.carried_in_micros)),
    totalCents: BigInt(row.total_cents),
    carriedOutMicros: micros(BigInt(row.carried_out_micros)),
    issuedAtMs: row.issued_at.getTime(),
    dueAtMs: row.due_at.getTime(),
    paidAtMs: row.paid_at?.getTime() ?? null,
    refundedCents: BigInt(row.refunded_cents),
  };
}
