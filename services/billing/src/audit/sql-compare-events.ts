import { measurePattern } from '@tollgate/contracts/events/measure';
import { toIso } from '@tollgate/kernel/clock';
import { periodBounds } from '@tollgate/kernel/period';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { Metadata } from '@tollgate/contracts/forms/metadata';
import type { ReconcileScope } from './reconciliation.ts';

export interface EventsCompared {
  /** The hours from then on are compared; null if no events are kept. */
  readonly since: Date | null;
  readonly events: bigint;
  readonly rollups: bigint;
  readonly calls: bigint;
  /** Calls in hours of the period whose events are no longer kept. */
  readonly callsBefore: bigint;
  readonly rows: readonly string[];
}

/** Passes are compared apart. Events are dropped by whole days, so the hours from the first kept day on can be compared. */
const text = `
with bounds as materialized (
  select greatest($1::timestamptz, coalesce((select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage.event'::regclass), 'infinity')) as since,
    $2::timestamptz as until
), mine as materialized (
  select tool_id from billing.tool where owner_id = $3
), event as materialized (
  select e.*, coalesce(e.pass_id::text, '') as pass from usage.event_v1 e, bounds b where e.occurred_at >= b.since and e.occurred_at < b.until
    and ($3::uuid is null or e.consumer_id = $3 or e.tool_id in (select tool_id from mine))
), measured as (
  select e.consumer_id, e.tool_id, date_trunc('hour', e.occurred_at, 'UTC') as hour, e.success, e.pass, m.key,
    case when e.metadata ->> m.key ~ $4 then (e.metadata ->> m.key)::numeric end as amount
  from event e
  join billing.tool_price_v1 p on p.tool_id = e.tool_id and p.effective_from <= e.occurred_at and e.occurred_at < p.effective_to
  cross join unnest(p.measures) as m (key)
  where jsonb_typeof(e.metadata -> m.key) in ('number', 'string')
), counted as (
  select consumer_id, tool_id, date_trunc('hour', occurred_at, 'UTC') as hour, success, pass, '' as key,
    count(*) as calls, coalesce(sum(duration_ms), 0)::numeric as total
  from event group by 1, 2, 3, 4, 5
  union all
  select consumer_id, tool_id, hour, success, pass, key, 0, sum(amount) from measured
  where amount >= 0 and amount < 1e12 and amount = trunc(amount, 6) group by 1, 2, 3, 4, 5, 6
), kept as (
  select consumer_id, tool_id, hour, success, coalesce(pass_id::text, '') as pass, '' as key, calls, duration_ms::numeric as total
  from usage.rollup_v1
  union all
  select consumer_id, tool_id, hour, success, coalesce(pass_id::text, ''), key, 0, total from usage.rollup_measure_v1
), rollup as materialized (
  select k.* from kept k, bounds b where k.hour >= b.since and k.hour < b.until
    and ($3::uuid is null or k.consumer_id = $3 or k.tool_id in (select tool_id from mine))
), differing as materialized (
  select concat_ws(' ', tool_id, 'by', consumer_id, 'at', to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"'),
    case when success then 'succeeded' else 'failed' end, 'with pass ' || nullif(pass, '')) || case when key = '' then
      format(': events %s calls, %s ms; rollup %s calls, %s ms', coalesce(e.calls, 0), coalesce(e.total, 0), coalesce(r.calls, 0), coalesce(r.total, 0))
      else format(': events %s of %s; rollup %s', trim_scale(coalesce(e.total, 0)), key, trim_scale(coalesce(r.total, 0))) end as line
  from counted e full join rollup r using (consumer_id, tool_id, hour, success, pass, key)
  where coalesce(e.calls, 0) <> coalesce(r.calls, 0) or coalesce(e.total, 0) <> coalesce(r.total, 0)
)
select (select nullif(since, 'infinity') from bounds) as since,
  (select count(*) from event) as events,
  (select count(*) from rollup where key = '') as rollups,
  (select coalesce(sum(calls), 0)::bigint from rollup) as calls,
  (select coalesce(sum(k.calls), 0)::bigint from usage.rollup_v1 k where k.hour >= $1 and k.hour < (select least(since, until) from bounds)
    and ($3::uuid is null or k.consumer_id = $3 or k.tool_id in (select tool_id from mine))) as calls_before,
  array(select line from differing order by line collate "C") as rows`;

/** Adds up the kept events of a period again, and compares them with the rollups of the same hours. */
export async function compareEvents(tx: Transaction, { period, accountId }: ReconcileScope): Promise<EventsCompared> {
  const { start, end } = periodBounds(period);
  const values = [toIso(start), toIso(end), accountId ?? null, measurePattern];
  const { calls_before: callsBefore, ...found } = onlyRow(
    await tx.query<Omit<EventsCompared, 'callsBefore'> & { calls_before: bigint }>(text, values),
  );
  return { ...found, callsBefore };
}

export interface KeyedEvent {
  readonly event_id: string;
  readonly consumer_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint | null;
  readonly metadata: Metadata | null;
  /** The row of its key. Null if there is none. */
  readonly key_consumer_id: string | null;
  readonly key_occurred_at: Date | null;
  readonly body_hash: Uint8Array | null;
}

export interface KeyedEventsQuery {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The consumer. Undefined: all. */
  readonly accountId: string | undefined;
  /** The event before the first. */
  readonly after: { readonly consumerId: string; readonly occurredAtMs: number; readonly eventId: string };
  readonly limit: number;
}

/** The key of each is looked up by itself: a join might read the keys of all time. */
const readKeyedEventsText = `
select e.*, k.consumer_id as key_consumer_id, k.occurred_at as key_occurred_at, k.body_hash
from (
  select event_id, consumer_id, tool_id, occurred_at, success, duration_ms, metadata from usage.event_v1
  where occurred_at >= $1 and occurred_at < $2 and idempotency_key is not null and ($3::uuid is null or consumer_id = $3)
    and (consumer_id, occurred_at, event_id) > ($4::uuid, $5::timestamptz, $6::uuid)
  order by consumer_id, occurred_at, event_id limit $7
) e left join lateral (
  select consumer_id, occurred_at, body_hash from usage.event_key_v1 where event_id = e.event_id limit 1
) k on true
order by e.consumer_id, e.occurred_at, e.event_id`;

/** Reads the next events that have a key, each with the row of its key. */
export async function readKeyedEvents(tx: Transaction, query: KeyedEventsQuery): Promise<KeyedEvent[]> {
  const { sinceMs, untilMs, accountId, after, limit } = query;
  const place = [after.consumerId, toIso(after.occurredAtMs), after.eventId];
  return tx.query<KeyedEvent & object>(readKeyedEventsText, [
    toIso(sinceMs),
    toIso(untilMs),
    accountId ?? null,
    ...place,
    limit,
  ]);
}

const archivedText = `select coalesce(max(older_than), 'epoch') as before from usage.key_archive_v1`;

/** The time before which keys may be in an archive, and no more in the table. */
export async function readArchivedBeforeMs(tx: Transaction): Promise<number> {
  return onlyRow(await tx.query<{ before: Date }>(archivedText)).before.getTime();
}
