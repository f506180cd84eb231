import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { StoredInvoiceStatus } from '../invoicing/invoice.ts';
import type { LaidRun } from './plan-laying.ts';

/** An invoice as the laying of charges sees it. */
export interface LayableInvoice {
  readonly id: string;
  readonly period: string;
  readonly status: StoredInvoiceStatus;
  readonly totalCents: bigint;
  readonly carriedOutMicros: bigint;
  /** Whether its charges were laid on grants, if there were any. */
  readonly isLaid: boolean;
  /** The cent that it began and carries out, if it was laid on a grant. */
  readonly carried: LaidRun | undefined;
}

const listText = `
select i.invoice_id, i.period, i.status, i.total_cents, i.carried_out_micros, l.invoice_id is not null as is_laid,
  l.carried_credit_id, l.carried_from, l.carried_to
from billing.invoice i left join billing.laid_invoice l using (invoice_id)
where i.consumer_id = $1 order by i.period`;

/** All invoices of an account, in the order of their periods. */
export async function listLayableInvoices(tx: Transaction, accountId: string): Promise<LayableInvoice[]> {
  const rows = await tx.query<DbLayable>({ name: 'billing.list_layable_invoices', text: listText }, [accountId]);
  return rows.map((row) => ({
    id: row.invoice_id,
    period: row.period,
    status: row.status,
    totalCents: BigInt(row.total_cents),
    carriedOutMicros: BigInt(row.carried_out_micros),
    isLaid: row.is_laid,
    carried: carriedOf(row),
  }));
}

interface DbLayable {
  readonly invoice_id: string;
  readonly period: string;
  readonly status: StoredInvoiceStatus;
  readonly total_cents: string;
  readonly carried_out_micros: string;
  readonly is_laid: boolean;
  readonly carried_credit_id: string | null;
  readonly carried_from: Date | null;
  readonly carried_to: Date | null;
}

function carriedOf({
  carried_credit_id: creditId,
  carried_from: from,
  carried_to: to,
}: DbLayable): LaidRun | undefined {
  if (creditId === null || from === null || to === null) return undefined;
  return { creditId, startMs: from.getTime(), endMs: to.getTime(), cents: 1n };
}

const monthsText = `
with billed as (
  select i.invoice_id, i.consumer_id, i.period, coalesce(l.adjustment_of, i.period) as month, sum(l.charge_micros)::bigint as micros
  from billing.invoice i join billing.invoice_line l using (invoice_id)
  where i.invoice_id = any ($1::uuid[]) group by i.invoice_id, month
)
select month, micros, not exists (select from billing.invoice e join billing.invoice_line el using (invoice_id)
  where e.consumer_id = billed.consumer_id and e.period < billed.period and coalesce(el.adjustment_of, e.period) = month) as is_first
from billed order by period, month`;

/** The part of an invoice that bills calls of one month. */
export interface BilledMonth {
  readonly month: string;
  readonly micros: bigint;
  /** No earlier invoice bills calls of the month. */
  readonly isFirst: boolean;
}

/** In the order of the invoices and of the months. */
export async function listBilledMonths(tx: Transaction, invoiceIds: readonly string[]): Promise<BilledMonth[]> {
  const statement = { name: 'billing.list_billed_months', text: monthsText };
  const rows = await tx.query<{ month: string; micros: bigint; is_first: boolean }>(statement, [invoiceIds]);
  return rows.map(({ month, micros, is_first: isFirst }) => ({ month, micros, isFirst }));
}

const putText = `
insert into billing.laid_invoice (invoice_id, consumer_id, laid_at, carried_credit_id, carried_from, carried_to)
values ($1, $2, $3, $4, $5, $6)
on conflict (invoice_id) do update set carried_credit_id = excluded.carried_credit_id,
  carried_from = excluded.carried_from, carried_to = excluded.carried_to`;

export interface LaidInvoice {
  readonly invoiceId: string;
  readonly accountId: string;
  readonly laidAtMs: number;
  /** The cent that it began and carries out. */
  readonly carried: LaidRun | undefined;
}

/** Stores that the charges of an invoice were laid on the grants of its account, and when that was done first. */
export async function putLaidInvoice(tx: Transaction, laid: LaidInvoice): Promise<void> {
  const { invoiceId, accountId, laidAtMs, carried } = laid;
  const isGrants = carried !== undefined && carried.creditId !== null;
  const carriedValues = isGrants
    ? [carried.creditId, toIso(carried.startMs), toIso(carried.endMs)]
    : [null, null, null];
  const values = [invoiceId, accountId, toIso(laidAtMs), ...carriedValues];
  await tx.query({ name: 'billing.put_laid_invoice', text: putText }, values);
}

const markText = `
insert into billing.laid_invoice (invoice_id, consumer_id, laid_at) values ($1, $2, $3) on conflict do nothing`;

/** The same of an invoice whose account has no grant, unless it was laid already. */
export async function markLaid(tx: Transaction, laid: Omit<LaidInvoice, 'carried'>): Promise<void> {
  const { invoiceId, accountId, laidAtMs } = laid;
  await tx.query({ name: 'billing.mark_laid', text: markText }, [invoiceId, accountId, toIso(laidAtMs)]);
}

const deleteText = `delete from billing.laid_part where invoice_id = $1`;

const insertText = `
insert into billing.laid_part (invoice_id, place, credit_id, from_at, to_at, cents)
select $1, t.place, t.credit_id, t.from_at, t.to_at, t.cents
from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::numeric[])
  with ordinality as t (credit_id, from_at, to_at, cents, place)`;

/** Stores which grant pays which part of an invoice, in place of what was stored. */
export async function replaceLaidParts(tx: Transaction, invoiceId: string, parts: readonly LaidRun[]): Promise<void> {
  await tx.query({ name: 'billing.delete_laid_parts', text: deleteText }, [invoiceId]);
  await tx.query({ name: 'billing.insert_laid_parts', text: insertText }, [
    invoiceId,
    parts.map(({ creditId }) => creditId),
    parts.map(({ startMs }) => toIso(startMs)),
    parts.map(({ endMs }) => toIso(endMs)),
    parts.map(({ cents }) => String(cents)),
  ]);
}

const partsText = `
select credit_id, from_at, to_at, cents::bigint from billing.laid_part where invoice_id = $1 order by place`;

export async function listLaidParts(tx: Transaction, invoiceId: string): Promise<LaidRun[]> {
  const rows = await tx.query<{ credit_id: string; from_at: Date; to_at: Date; cents: bigint }>(
    { name: 'billing.list_laid_parts', text: partsText },
    [invoiceId],
  );
  return rows.map(({ credit_id: creditId, from_at: from, to_at: to, cents }) => {
    return { creditId, startMs: from.getTime(), endMs: to.getTime(), cents };
  });
}

const isLaidText = `select from billing.laid_invoice where invoice_id = $1`;

export async function isLaid(tx: Transaction, invoiceId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.is_laid', text: isLaidText }, [invoiceId])).length > 0;
}

const waitsText = `
select from billing.invoice e join billing.invoice i on i.consumer_id = e.consumer_id and e.period < i.period
where i.invoice_id = $1 and e.total_cents > 0 and e.status in ('open', 'past_due', 'uncollectible')
  and not exists (select from billing.laid_invoice l where l.invoice_id = e.invoice_id)
  and exists (select from billing.balance_credit c where c.account_id = i.consumer_id and c.top_up_id is null and c.left_cents > 0)
limit 1`;

/** Says whether an earlier invoice has to be laid before this one, for earlier calls come first. */
export async function waitsForEarlier(tx: Transaction, invoiceId: string): Promise<boolean> {
  const statement = { name: 'billing.waits_for_earlier_laying', text: waitsText };
  return (await tx.query(statement, [invoiceId])).length > 0;
}
