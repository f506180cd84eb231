import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import { collectableStatuses } from '../collection/sql-collectable-invoices.ts';
import { duePayoutDay, payoutDayMs, findPayoutProgress } from '../payouts/sql-list-due-payouts.ts';

/** Figures of money that waits, each with its oldest one; ages are in seconds. */
export interface MoneyFigures {
  readonly unknown_orders: number;
  readonly unknown_order_age: number;
  readonly waiting_webhooks: number;
  readonly waiting_webhook_age: number;
  readonly failed_charges: number;
  readonly failed_refunds: number;
  readonly failed_transfers: number;
  readonly succeeded_charges: number;
  /** Unpaid invoices that wait for their consumer. */
  readonly waiting_for_payment_method: number;
  readonly waiting_for_authentication: number;
  /** Payout accounts whose last payout the owner's bank refused. */
  readonly bank_failures: number;
  /** Null before the first sweep has ended. */
  readonly sweep_age: number | null;
  /** Null while nothing is counted. */
  readonly watermark_age: number | null;
}

const ageOf = (time: string): string => `greatest(extract(epoch from $2::timestamptz - ${time}), 0)::float8`;

const text = `
with settled as materialized (
  select kind, status, count(*)::int as orders from billing.processor_attempt
  where processor = $1 and settled_at > $2::timestamptz - interval '1 day'
  group by kind, status
), held as materialized (
  select waits_for, count(*)::int as invoices from billing.invoice
  where waits_for is not null and status in ('open', 'past_due', 'uncollectible') group by waits_for
), unknown as (
  select count(*)::int as orders, min(started_at) as oldest
  from billing.processor_attempt where processor = $1 and status = 'unknown'
), waiting as (
  select count(*)::int as webhooks, min(received_at) as oldest
  from billing.webhook_event where processor = $1 and applied_at is null
)
select u.orders as unknown_orders, coalesce(${ageOf('u.oldest')}, 0) as unknown_order_age,
  w.webhooks as waiting_webhooks, coalesce(${ageOf('w.oldest')}, 0) as waiting_webhook_age,
  coalesce((select orders from settled where kind = 'charge' and status = 'failed'), 0) as failed_charges,
  coalesce((select orders from settled where kind = 'refund' and status = 'failed'), 0) as failed_refunds,
  coalesce((select orders from settled where kind = 'transfer' and status = 'failed'), 0) as failed_transfers,
  coalesce((select orders from settled where kind = 'charge' and status = 'succeeded'), 0) as succeeded_charges,
  coalesce((select invoices from held where waits_for = 'payment_method'), 0) as waiting_for_payment_method,
  coalesce((select invoices from held where waits_for = 'authentication'), 0) as waiting_for_authentication,
  (select count(*)::int from billing.connected_account c
    where c.processor = $1 and c.bank_failure_at is not null and c.disconnected_at is null) as bank_failures,
  (select ${ageOf('s.swept_at')} from billing.processor_sweep s where s.processor = $1) as sweep_age,
  (select ${ageOf('counted_through')} from usage.watermark_v1) as watermark_age
from unknown u, waiting w`;

/** Orders that were settled count for 24 hours before `nowMs`. Each part reads an index. */
export async function readMoneyFigures(db: Queryable, processor: string, nowMs: number): Promise<MoneyFigures> {
  const statement = { name: 'billing.read_money_figures', text };
  return onlyRow(await db.query<MoneyFigures>(statement, [processor, toIso(nowMs)]));
}

/** Since when the oldest work of a kind is due, in milliseconds since the epoch. Null: none is. */
export interface OldestDueWork {
  readonly charge: number | null;
  readonly transfer: number | null;
  readonly past_due: number | null;
  readonly payout_day: number | null;
}

/** Due work of a suspended account waits for the operator, and an order of unknown outcome has a figure of its own. */
const mayGoOn = (accountId: string, kind: string, subjectId: string): string => `
  not exists (select from auth.account_suspension_v1 s where s.account_id = ${accountId} and s.resumed_at is null)
  and not exists (select from billing.processor_attempt a
    where a.kind = '${kind}' and a.subject_id = ${subjectId} and a.status = 'unknown')`;

const readOldestDueWorkText = `
select
  (select collect_at from billing.invoice i
    where collect_at <= $1 and status = any ($2) and ${mayGoOn('i.consumer_id', 'charge', 'i.invoice_id')}
    order by collect_at limit 1) as charge,
  (select due_at from billing.payout p where due_at <= $1 and ${mayGoOn('p.builder_id', 'transfer', 'p.payout_id')}
    order by due_at limit 1) as transfer,
  (select min(due_at) from billing.invoice i where status = 'open' and due_at <= $1 and not exists (
    select from billing.held_invoice h where h.invoice_id = i.invoice_id and h.confirmed_at is null)) as past_due`;

/** Reads the oldest due work of each kind that could be done now. Each part reads an index. */
export async function readOldestDueWork(
  db: Queryable,
  { nowMs, payoutDelayMs: delayMs }: { readonly nowMs: number; readonly payoutDelayMs: number },
): Promise<OldestDueWork> {
  const statement = { name: 'billing.read_oldest_due_work', text: readOldestDueWorkText };
  const values = [toIso(nowMs), collectableStatuses];
  const row = onlyRow(await db.query<Record<'charge' | 'transfer' | 'past_due', Date | null>>(statement, values));
  const msOf = (time: Date | null) => time?.getTime() ?? null;
  const period = duePayoutDay(await findPayoutProgress(db), { nowMs, delayMs });
  const payoutDay = period === undefined ? null : payoutDayMs(period, delayMs);
  return {
    charge: msOf(row.charge),
    transfer: msOf(row.transfer),
    past_due: msOf(row.past_due),
    payout_day: payoutDay,
  };
}

const noteText = 'update sandbox.clock set worked_through = greatest(worked_through, $1)';

/** Keeps that all work which was due by this time of the sandbox's clock has been done. */
export async function noteWorkedThrough(db: Queryable, throughMs: number): Promise<void> {
  await db.query({ name: 'billing.note_worked_through', text: noteText }, [toIso(throughMs)]);
}

const readText = 'select worked_through from sandbox.clock';

/** Null before the first move of the clock has done its work. */
export async function readWorkedThrough(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ worked_through: Date | null }>({
    name: 'billing.read_worked_through',
    text: readText,
  });
  return row?.worked_through?.getTime() ?? null;
}
