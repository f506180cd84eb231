import { measureOf } from '@tollgate/contracts/events/measure';
import type { Metadata } from '@tollgate/contracts/forms/metadata';
import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { periodBounds } from '@tollgate/kernel/period';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { ReconcileScope } from './reconciliation.ts';

/** A row of a cap, with what its holds say. */
export interface ComparedCap {
  readonly name: string;
  readonly accountId: string;
  /** The cap is of an account, and its window is the period. */
  readonly isOfMonth: boolean;
  /** Calls of the period were counted after it was closed: no settlement looks at it any more. */
  readonly isLate: boolean;
  readonly spentMicros: bigint;
  readonly heldMicros: bigint;
  /** The amount that is spent without a hold. */
  readonly unheldMicros: bigint;
  /** The sum of its settled holds. */
  readonly settledMicros: bigint;
  /** The sum of its open and captured holds, and of what the lines hold that it covers. */
  readonly liveMicros: bigint;
}

interface CapRow {
  readonly name: string;
  readonly account_id: string;
  readonly is_of_month: boolean;
  readonly is_late: boolean;
  readonly spent_micros: bigint;
  readonly held_micros: bigint;
  readonly unheld_micros: bigint;
  readonly settled: bigint;
  readonly live: bigint;
}

const capText = `
with account as materialized (
  select distinct account_id from gate.cap_state_v1
  where account_id > $4 and window_start < $2 and window_end > $1 and ($3::uuid is null or account_id = $3)
  order by account_id limit $5
), cap as materialized (
  select * from gate.cap_state_v1 join account using (account_id) where window_start < $2 and window_end > $1
), held as (
  select c.cap_id, sum(h.micros) filter (where h.state in ('open', 'captured')) as live,
    sum(coalesce(of.charged, case c.scope when 'pass' then least(h.charged_micros, h.micros) else h.charged_micros end)) filter (
      where of.charged is not null or h.occurred_at >= c.window_start and h.occurred_at < c.window_end) as settled
  from account join gate.hold_v1 h using (account_id) cross join lateral unnest(h.cap_ids, h.charged_of_caps) as of (cap_id, charged)
  join cap c on c.cap_id = of.cap_id group by c.cap_id
), line as (
  select c.cap_id, sum(l.held_micros) as held from cap c join gate.line_v1 l using (account_id)
  where c.scope = 'balance' or c.scope = 'account' and c.window_start = (l.period || '-01')::timestamp at time zone 'UTC'
    and c.window_end = ((l.period || '-01')::timestamp + interval '1 month') at time zone 'UTC'
  group by c.cap_id
)
select format('cap of the %s %s from %s', c.scope, c.owner_id, to_char(c.window_start at time zone 'UTC', 'YYYY-MM-DD')) as name,
  c.account_id, c.scope = 'account' and c.window_start = $1 and c.window_end = $2 as is_of_month,
  exists (select from usage.late_usage_v1 l where l.consumer_id = c.account_id and l.period = $6) as is_late,
  c.spent_micros, c.held_micros, c.unheld_micros, coalesce(h.settled, 0)::bigint as settled, (coalesce(h.live, 0) + coalesce(l.held, 0))::bigint as live
from cap c left join held h using (cap_id) left join line l using (cap_id) order by c.account_id, c.cap_id`;

export interface CapsQuery extends ReconcileScope {
  /** The last account of the batch before. */
  readonly afterId: string;
  readonly accountsMax: number;
}

/** The caps of the next accounts whose windows have a part in the period. */
export async function readComparedCaps(tx: Transaction, query: CapsQuery): Promise<ComparedCap[]> {
  const { period, accountId = null, afterId, accountsMax } = query;
  const { start, end } = periodBounds(period);
  const values = [toIso(start), toIso(end), accountId, afterId, accountsMax, period];
  return (await tx.query<CapRow>(capText, values)).map((row) => ({
    name: row.name,
    accountId: row.account_id,
    isOfMonth: row.is_of_month,
    isLate: row.is_late,
    spentMicros: row.spent_micros,
    heldMicros: row.held_micros,
    unheldMicros: row.unheld_micros,
    settledMicros: row.settled,
    liveMicros: row.live,
  }));
}

const unsettledText = `
with captured as materialized (
  select event_id, body_hash from gate.hold_v1 where state = 'captured' and account_id = any ($1::uuid[])
), event as (
  select e.* from captured c join usage.event_key_v1 k using (event_id, body_hash)
  join usage.event_v1 e on e.consumer_id = k.consumer_id and e.occurred_at = k.occurred_at and e.event_id = k.event_id
  union all
  select e.* from captured c join usage.event_v1 e on e.event_id = c.event_id and e.idempotency_key is null
  where c.body_hash is null
)
select e.consumer_id, p.price_id, e.success, coalesce(e.duration_ms, 0)::bigint as duration_ms, e.metadata, p.measures
from event e join billing.tool_price_v1 p on p.tool_id = e.tool_id and p.effective_from <= e.occurred_at and e.occurred_at < p.effective_to
where e.occurred_at >= $2 and e.occurred_at < $3`;

interface EventRow {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly success: boolean;
  readonly duration_ms: bigint;
  readonly metadata: Metadata | null;
  readonly measures: readonly string[];
}

/** The calls of a period that are counted and not settled yet, as what they take away from its usage. */
export async function readUnsettled(
  tx: Transaction,
  accountIds: readonly string[],
  period: string,
): Promise<CountedUsage[]> {
  const { start, end } = periodBounds(period);
  const rows = await tx.query<EventRow>(unsettledText, [accountIds, toIso(start), toIso(end)]);
  return rows.map((row) => ({
    period,
    consumerId: row.consumer_id,
    priceId: row.price_id,
    success: row.success,
    calls: -1n,
    durationMs: -row.duration_ms,
    measures: new Map(
      row.measures.flatMap((key): [string, string][] => {
        const measure = measureOf(row.metadata?.[key]);
        return measure === undefined ? [] : [[key, `-${measure}`]];
      }),
    ),
  }));
}

const text = `
select i.invoice_id, i.number, i.consumer_id, i.total_cents::bigint, p.credit_id, sum(p.cents)::bigint as cents
from billing.laid_part p join billing.invoice i using (invoice_id)
where i.period = $1 and ($2::uuid is null or i.consumer_id = $2)
group by i.invoice_id, p.credit_id order by i.number, p.credit_id`;

interface Row {
  readonly invoice_id: string;
  readonly number: bigint;
  readonly consumer_id: string;
  readonly total_cents: bigint;
  readonly credit_id: string;
  readonly cents: bigint;
}

export interface PaidByGrants {
  readonly id: string;
  readonly number: bigint;
  readonly accountId: string;
  readonly totalCents: bigint;
  /** Cents by credit. */
  readonly paid: ReadonlyMap<string, bigint>;
}

/** The invoices of a period that grants have paid, or parts of them. */
export async function listPaidByGrants(
  tx: Transaction,
  { period, accountId }: ReconcileScope,
): Promise<PaidByGrants[]> {
  const rows = await tx.query<Row>({ name: 'billing.list_paid_by_grants', text }, [period, accountId ?? null]);
  return [...Map.groupBy(rows, ({ invoice_id: id }) => id).values()].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const { invoice_id: id, number, consumer_id: consumerId, total_cents: totalCents } = first;
    const paid = new Map(parts.map(({ credit_id: creditId, cents }) => [creditId, cents]));
    return [{ id, number, accountId: consumerId, totalCents, paid }];
  });
}
