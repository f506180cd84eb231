import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import {
  balancePaidText,
  hasStatus,
  heldForText,
  isHeldText,
  stateOfInvoice,
  type HeldFor,
  type Invoice,
  type InvoiceStatus,
  type StoredInvoiceStatus,
} from './invoice.ts';

/** An invoice without its lines and the parts that credits paid. */
export type InvoiceSummary = Omit<Invoice, 'lines' | 'lineCount' | 'balanceParts'>;

export interface AllInvoicesQuery extends PageQuery {
  readonly consumerId?: string | undefined;
  readonly invoiceId?: string | undefined;
  readonly status?: InvoiceStatus | undefined;
  readonly period?: string | undefined;
  /** Only those that wait for a confirmation. */
  readonly isHeld?: boolean | undefined;
}

// Without a name, so that each call is planned for the filters that it has.
const filter = `($1::uuid is null or consumer_id = $1) and ${hasStatus('$2')}
  and ($3::text is null or period = $3) and (not $4 or ${isHeldText})
  and ($5::uuid is null or invoice_id = $5)`;

const pageText = `
select invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents, part_paid_cents, carried_out_micros,
  issued_at, due_at, paid_at, (select coalesce(sum(r.amount_cents), 0) from billing.refund r
    where r.invoice_id = invoice.invoice_id and r.status = 'succeeded' and r.stray_attempt_id is null) as refunded_cents,
  ${balancePaidText} as balance_paid_cents, ${heldForText} as held_for
from billing.invoice
where ${filter} and ($6::timestamptz is null or (issued_at, invoice_id) < ($6, $7::uuid))
order by issued_at desc, invoice_id desc limit $8`;

const totalText = `select count(*)::int as total from billing.invoice where ${filter}`;

/** Lists invoices of all consumers, newest first by (issued_at, id). Only the worker role may read them. */
export async function listAllInvoices(db: Queryable, query: AllInvoicesQuery): Promise<ListPage<InvoiceSummary>> {
  const { consumerId = null, invoiceId = null, status = null, period = null, isHeld = false, after, limit } = query;
  const wanted = [consumerId, status, period, isHeld, invoiceId];
  const page = [...wanted, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await db.query<DbSummary>(pageText, page);
  const { total } = onlyRow(await db.query<{ total: number }>(totalText, wanted));
  return { rows: rows.map(fromDbSummary), total };
}

interface DbSummary {
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
  readonly held_for: HeldFor | null;
}

function fromDbSummary(row: DbSummary): InvoiceSummary {
  return {
    id: row.invoice_id,
    number: row.number,
    consumerId: row.consumer_id,
    period: row.period,
    ...stateOfInvoice(row),
    chargeMicros: toMicros(row.charge_micros),
    carriedInMicros: toMicros(row.carried_in_micros),
    totalCents: BigInt(row.total_cents),
    partPaidCents: BigInt(row.part_paid_cents),
    carriedOutMicros: toMicros(row.carried_out_micros),
    issuedAtMs: row.issued_at.getTime(),
    dueAtMs: row.due_at.getTime(),
    refundedCents: BigInt(row.refunded_cents),
    balancePaidCents: BigInt(row.balance_paid_cents),
    heldFor: row.held_for,
  };
}

function toMicros(text: string): Micros {
  return micros(BigInt(text));
}
