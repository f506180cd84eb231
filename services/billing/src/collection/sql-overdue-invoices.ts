import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';

// Those that somebody holds are for the next time.
const pastDueText = `
update billing.invoice set status = 'past_due'
where invoice_id in (
  select invoice_id from billing.invoice where status = 'open' and due_at <= $1
  order by due_at limit $2 for update skip locked)
returning invoice_id`;

const listText = `
select invoice_id from billing.invoice
where status = 'past_due' and due_at <= $1 and invoice_id > $2 order by invoice_id limit $3`;

/** How many became past due, at most `limit`. */
export async function markPastDue(db: Queryable, nowMs: number, limit: number): Promise<number> {
  return (await db.query(pastDueText, [toIso(nowMs), limit])).length;
}

/** Past due, and due by then. */
export async function listPastDue(
  db: Queryable,
  query: { readonly dueByMs: number; readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const values = [toIso(query.dueByMs), query.afterId, query.limit];
  return (await db.query<{ invoice_id: string }>(listText, values)).map((row) => row.invoice_id);
}
