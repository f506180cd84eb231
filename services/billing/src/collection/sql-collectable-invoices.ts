import { nilUuid } from '@tollgate/kernel/uuid';
import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { WaitsFor } from '../invoicing/invoice.ts';
import { collectableStatuses } from './collectable.ts';

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
