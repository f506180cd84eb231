import { nilUuid } from '@tollgate/kernel/uuid';
import { toIso } from '@tollgate/kernel/clock';
import { type Queryable, type Transaction, onlyRow } from '@tollgate/database/database';
import { type WaitsFor, type InvoiceStatus, balancePaidText } from '../invoicing/invoice.ts';

/** Statuses of invoices that are owed: a payment method is charged for them, and a successful charge pays them. */
export const collectableStatuses: readonly InvoiceStatus[] = ['open', 'past_due', 'uncollectible'];

export function isCollectable(status: InvoiceStatus): boolean {
  return collectableStatuses.includes(status);
}

export interface DueInvoice {
  readonly id: string;
  readonly collectAtMs: number;
}

export interface DueInvoicesQuery {
  readonly nowMs: number;
  /** The last invoice of the page before; undefined for the first page. */
  readonly after: DueInvoice | undefined;
  readonly limit: number;
}

const listText = `
select i.invoice_id, i.collect_at from billing.invoice i
where i.collect_at <= $1 and i.status = any ($2) and (i.collect_at, i.invoice_id) > ($3, $4)
  and not exists (select from billing.processor_attempt a
    where a.kind = 'charge' and a.subject_id = i.invoice_id and a.status = 'unknown')
order by i.collect_at, i.invoice_id limit $5`;

/**
 * Lists the invoices to charge by now, the longest waiting first. Invoices with a charge of unknown outcome are left
 * out.
 */
export async function listInvoicesToCollect(db: Queryable, query: DueInvoicesQuery): Promise<DueInvoice[]> {
  const { nowMs, after, limit } = query;
  const position = after ? [toIso(after.collectAtMs), after.id] : ['-infinity', nilUuid];
  const rows = await db.query<{ invoice_id: string; collect_at: Date }>(listText, [
    toIso(nowMs),
    collectableStatuses,
    ...position,
    limit,
  ]);
  return rows.map((row) => ({ id: row.invoice_id, collectAtMs: row.collect_at.getTime() }));
}

const setCollectAtText = `update billing.invoice set collect_at = $2, waits_for = null where invoice_id = $1`;

/** Sets when the invoice is charged next; null: not by itself. */
export async function setCollectAt(tx: Transaction, id: string, collectAtMs: number | null): Promise<void> {
  const collectAt = collectAtMs === null ? null : toIso(collectAtMs);
  await tx.query({ name: 'billing.set_collect_at', text: setCollectAtText }, [id, collectAt]);
}

const waitText = `update billing.invoice set collect_at = null, waits_for = $2 where invoice_id = $1`;

/** Lets the invoice wait until its consumer has set up a payment method, which makes it due again. */
export async function waitForConsumer(tx: Transaction, id: string, waitsFor: WaitsFor): Promise<undefined> {
  await tx.query({ name: 'billing.wait_for_consumer', text: waitText }, [id, waitsFor]);
  return undefined;
}

const collectSoonText = `
update billing.invoice set collect_at = $2, waits_for = null where consumer_id = $1 and status = any ($3)`;

/** Sets when every invoice that this consumer owes is charged next. */
export async function collectAllAt(tx: Transaction, consumerId: string, collectAtMs: number): Promise<void> {
  await tx.query(collectSoonText, [consumerId, toIso(collectAtMs), collectableStatuses]);
}

// An invoice that waits for the operator does not age: its consumer cannot pay it.
const isNotHeld = `not exists (
  select from billing.held_invoice h where h.invoice_id = invoice.invoice_id and h.confirmed_at is null)`;

// Locked invoices are left to the next round.
const pastDueText = `
update billing.invoice set status = 'past_due'
where invoice_id in (
  select invoice_id from billing.invoice where status = 'open' and due_at <= $1 and ${isNotHeld}
  order by due_at limit $2 for update skip locked)
returning invoice_id`;

/** Marks at most `limit` open invoices past due, and returns how many. */
export async function markPastDue(db: Queryable, nowMs: number, limit: number): Promise<number> {
  return (await db.query(pastDueText, [toIso(nowMs), limit])).length;
}

const listPastDueText = `
select invoice_id from billing.invoice
where status = 'past_due' and due_at <= $1 and invoice_id > $2 and ${isNotHeld} order by invoice_id limit $3`;

/** Lists past due invoices that were due at or before `dueByMs`, ordered by id. */
export async function listPastDue(
  db: Queryable,
  query: { readonly dueByMs: number; readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const values = [toIso(query.dueByMs), query.afterId, query.limit];
  return (await db.query<{ invoice_id: string }>(listPastDueText, values)).map((row) => row.invoice_id);
}

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

export type InvoiceAge = 'not_due' | '1_30_days' | '31_60_days' | 'over_60_days';

export interface AgingBucket {
  readonly age: InvoiceAge;
  readonly invoices: number;
  readonly owedCents: bigint;
}

const text = `
with owed as (
  select total_cents - part_paid_cents - ${balancePaidText} as owed_cents, case when due_at > $1 then 'not_due' when due_at > $1::timestamptz - interval '30 days' then '1_30_days'
    when due_at > $1::timestamptz - interval '60 days' then '31_60_days' else 'over_60_days' end as age
  from billing.invoice where status in ('open', 'past_due')
)
select age, count(owed_cents)::int as invoices, coalesce(sum(owed_cents), 0)::text as cents
from unnest(array['not_due', '1_30_days', '31_60_days', 'over_60_days']) with ordinality as each (age, place)
left join owed using (age) group by age, place order by place`;

/** Sums the invoices that are open or past due by their age, the youngest first. */
export async function sumByAge(db: Queryable, nowMs: number): Promise<AgingBucket[]> {
  const rows = await db.query<{ age: InvoiceAge; invoices: number; cents: string }>(
    { name: 'billing.sum_by_age', text },
    [toIso(nowMs)],
  );
  return rows.map(({ age, invoices, cents }) => ({ age, invoices, owedCents: BigInt(cents) }));
}
