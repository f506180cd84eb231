import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';

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
