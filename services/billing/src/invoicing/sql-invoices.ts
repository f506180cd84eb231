import { micros } from '@tollgate/kernel/money';
import { onlyRow, type Transaction, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import {
  balancePaidText,
  hasStatus,
  heldForText,
  stateOfInvoice,
  type HeldFor,
  type Invoice,
  type InvoiceStatus,
  type StoredInvoiceStatus,
} from './invoice.ts';
import { readBalanceParts } from './sql-balance-parts.ts';
import { fromDbLine, lineColumns, type DbLine } from './sql-invoice-lines.ts';

const invoiceColumns = `invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
  part_paid_cents, carried_out_micros, issued_at, due_at, paid_at, (select coalesce(sum(r.amount_cents), 0) from billing.refund r
    where r.invoice_id = invoice.invoice_id and r.status = 'succeeded' and r.stray_attempt_id is null) as refunded_cents,
  ${balancePaidText} as balance_paid_cents,
  (select coalesce(max(l.place), 0) from billing.invoice_line l where l.invoice_id = invoice.invoice_id) as line_count,
  ${heldForText} as held_for`;

/** The most lines that an invoice shows by itself. The list of its lines has all of them. */
export const shownLinesMax = 1_000;

/** In a list of up to a hundred invoices, each shows fewer. */
const listedLinesMax = 20;

export interface InvoicePageQuery extends PageQuery {
  readonly consumerId: string;
  readonly status?: InvoiceStatus | undefined;
  readonly period?: string | undefined;
}

const filter = `consumer_id = $1 and ${hasStatus('$2')} and ($3::text is null or period = $3)`;

const pageText = `select ${invoiceColumns} from billing.invoice
where ${filter} and ($4::timestamptz is null or (issued_at, invoice_id) < ($4, $5::uuid))
order by issued_at desc, invoice_id desc limit $6`;

const totalText = `select count(*)::int as total from billing.invoice where ${filter}`;

/**
 * Reads one page of a consumer's invoices, newest first by (issued_at, id). It may have `limit + 1` rows: the last one
 * says that there is another page.
 */
export async function readInvoicePage(tx: Transaction, query: InvoicePageQuery): Promise<ListPage<Invoice>> {
  const { consumerId, status = null, period = null, limit, after } = query;
  const wanted = [consumerId, status, period];
  const afterTime = after ? new Date(after.createdAtMs) : null;
  const rows = await tx.query<DbInvoice>(pageText, [...wanted, afterTime, after?.id ?? null, limit + 1]);
  const { total } = onlyRow(await tx.query<{ total: number }>(totalText, wanted));
  return { rows: await withLines(tx, rows, listedLinesMax), total };
}

const byIdText = `select ${invoiceColumns} from billing.invoice where consumer_id = $1 and invoice_id = $2`;

export interface InvoiceQuery {
  readonly consumerId: string;
  readonly id: string;
  /** Default: `shownLinesMax`. */
  readonly linesMax?: number;
}

export async function readInvoice(tx: Transaction, query: InvoiceQuery): Promise<Invoice | undefined> {
  const { consumerId, id, linesMax = shownLinesMax } = query;
  const [invoice] = await withLines(tx, await tx.query<DbInvoice>(byIdText, [consumerId, id]), linesMax);
  return invoice;
}

const byPeriodText = `select ${invoiceColumns} from billing.invoice where consumer_id = $1 and period = $2`;

export async function readInvoiceOfPeriod(
  tx: Transaction,
  consumerId: string,
  period: string,
): Promise<Invoice | undefined> {
  const [invoice] = await withLines(tx, await tx.query<DbInvoice>(byPeriodText, [consumerId, period]), shownLinesMax);
  return invoice;
}

interface DbInvoice {
  readonly invoice_id: string;
  readonly number: bigint;
  readonly consumer_id: string;
  readonly period: string;
  readonly status: StoredInvoiceStatus;
  readonly charge_micros: string;
  readonly carried_in_micros: string;
  readonly total_cents: string;
  readonly part_paid_cents: string;
  readonly carried_out_micros: string;
  readonly issued_at: Date;
  readonly due_at: Date;
  readonly paid_at: Date | null;
  readonly refunded_cents: string;
  readonly balance_paid_cents: string;
  readonly line_count: number;
  readonly held_for: HeldFor | null;
}

const linesText = `select ${lineColumns}
from billing.invoice i join billing.invoice_line l using (invoice_id)
where i.invoice_id = any ($1::uuid[]) and l.place <= $2 order by i.invoice_id, l.place`;

/** The first `linesMax` lines of each: places count from 1, without gaps. */
async function withLines(tx: Transaction, rows: readonly DbInvoice[], linesMax: number): Promise<Invoice[]> {
  if (rows.length === 0) return [];
  const lines = await tx.query<DbLine>(linesText, [rows.map((row) => row.invoice_id), linesMax]);
  const byInvoice = Map.groupBy(lines, (line) => line.invoice_id);
  const parts = await readBalanceParts(
    tx,
    rows.filter(isPaidByBalance).map(({ invoice_id: id }) => id),
  );
  return rows.map((row) =>
    fromDbInvoice(row, {
      lines: (byInvoice.get(row.invoice_id) ?? []).map(fromDbLine),
      balanceParts: parts.get(row.invoice_id) ?? [],
    }),
  );
}

function isPaidByBalance({ balance_paid_cents: cents }: DbInvoice): boolean {
  return cents !== '0';
}

function fromDbInvoice(row: DbInvoice, { lines, balanceParts }: Pick<Invoice, 'lines' | 'balanceParts'>): Invoice {
  return {
    id: row.invoice_id,
    number: row.number,
    consumerId: row.consumer_id,
    period: row.period,
    ...stateOfInvoice(row),
    lines,
    lineCount: row.line_count,
    chargeMicros: micros(BigInt(row.charge_micros)),
    carriedInMicros: micros(BigInt(row.carried_in_micros)),
    totalCents: BigInt(row.total_cents),
    partPaidCents: BigInt(row.part_paid_cents),
    carriedOutMicros: micros(BigInt(row.carried_out_micros)),
    issuedAtMs: row.issued_at.getTime(),
    dueAtMs: row.due_at.getTime(),
    refundedCents: BigInt(row.refunded_cents),
    balancePaidCents: BigInt(row.balance_paid_cents),
    balanceParts,
    heldFor: row.held_for,
  };
}

const hasText = `select from billing.invoice where invoice_id = $1`;

/** Says whether any consumer has this invoice. */
export async function hasInvoice(db: Queryable, id: string): Promise<boolean> {
  return (await db.query({ name: 'billing.has_invoice', text: hasText }, [id])).length > 0;
}

const lastPeriodsText = `
select c.consumer_id, (select max(i.period) from billing.invoice i where i.consumer_id = c.consumer_id) as period
from unnest($1::uuid[]) as c (consumer_id)`;

/** The period of each consumer's last invoice, null before the first. It may change, except under the lock of `lockClosing`. */
export async function readLastPeriods(
  tx: Transaction,
  consumerIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.query<{ consumer_id: string; period: string | null }>(
    { name: 'billing.read_last_periods', text: lastPeriodsText },
    [consumerIds],
  );
  return new Map(rows.map((row) => [row.consumer_id, row.period]));
}

export interface LockedInvoice {
  readonly id: string;
  readonly consumerId: string;
  readonly period: string;
  readonly status: StoredInvoiceStatus;
  readonly totalCents: bigint;
  /** The sum that charges have paid, before the one that pays the rest. */
  readonly partPaidCents: bigint;
  readonly issuedAtMs: number;
  readonly dueAtMs: number;
  /** When billing charges the invoice next by itself. Null if it never will again, or if a charge is in progress. */
  readonly collectAtMs: number | null;
}

const lockText = `
select consumer_id, period, status, total_cents, part_paid_cents, issued_at, due_at, collect_at from billing.invoice where invoice_id = $1 for update`;

/** Locks the invoice until the transaction ends, so that nobody else pays, refunds, ages or voids it. */
export async function lockInvoice(tx: Transaction, id: string): Promise<LockedInvoice | undefined> {
  const [row] = await tx.query<DbLockedInvoice>({ name: 'billing.lock_invoice', text: lockText }, [id]);
  if (!row) return undefined;
  return {
    id,
    consumerId: row.consumer_id,
    period: row.period,
    status: row.status,
    totalCents: BigInt(row.total_cents),
    partPaidCents: BigInt(row.part_paid_cents),
    issuedAtMs: row.issued_at.getTime(),
    dueAtMs: row.due_at.getTime(),
    collectAtMs: row.collect_at?.getTime() ?? null,
  };
}

interface DbLockedInvoice {
  readonly consumer_id: string;
  readonly period: string;
  readonly status: StoredInvoiceStatus;
  readonly total_cents: string;
  readonly part_paid_cents: string;
  readonly issued_at: Date;
  readonly due_at: Date;
  readonly collect_at: Date | null;
}

export type NewInvoiceStatus =
  | { readonly status: 'paid'; readonly paidAtMs: number }
  | { readonly status: 'uncollectible' | 'void' };

const setStatusText = `
update billing.invoice
set status = $2, paid_at = $3, collect_at = case when $2 in ('paid', 'void') then null else collect_at end
where invoice_id = $1`;

/** Sets the status of a locked invoice. The database refuses to take back `paid` and `void`. */
export async function setInvoiceStatus(tx: Transaction, id: string, now: NewInvoiceStatus): Promise<void> {
  const paidAt = now.status === 'paid' ? toIso(now.paidAtMs) : null;
  await tx.query({ name: 'billing.set_invoice_status', text: setStatusText }, [id, now.status, paidAt]);
}
