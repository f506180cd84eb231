import { onlyRow, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { EventName } from '../events/sql-event.ts';

/** An event on its way to an endpoint. */
export interface Delivery {
  readonly endpointId: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly dueAtMs: number | null;
}

const list = {
  name: 'notify.list_deliveries',
  text: `select d.endpoint_id, d.status, d.attempts, d.due_at from notify.delivery d join notify.endpoint e using (endpoint_id)
where d.event_id = $1 and e.account_id = $2 order by e.created_at, d.endpoint_id`,
};

interface DbDelivery {
  readonly endpoint_id: string;
  readonly status: Delivery['status'];
  readonly attempts: number;
  readonly due_at: Date | null;
}

/** To the endpoints of the account alone: the operator may have some, too. */
export async function listDeliveries(tx: Transaction, { eventId, accountId }: EventName): Promise<Delivery[]> {
  const rows = await tx.query<DbDelivery>(list, [eventId, accountId]);
  return rows.map(({ endpoint_id: endpointId, status, attempts, due_at: dueAt }) => {
    return { endpointId, status, attempts, dueAtMs: dueAt?.getTime() ?? null };
  });
}

/** One try to tell an endpoint. */
export interface Attempt {
  readonly endpointId: string;
  readonly number: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

const attempts = {
  name: 'notify.list_attempts',
  text: `select a.endpoint_id, a.number, a.started_at, a.duration_ms, a.status, a.error, a.answer
from notify.attempt a join notify.endpoint e using (endpoint_id)
where a.event_id = $1 and e.account_id = $2 order by a.started_at, a.endpoint_id, a.number`,
};

interface DbAttempt {
  readonly endpoint_id: string;
  readonly number: number;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** Oldest first. */
export async function listAttempts(tx: Transaction, { eventId, accountId }: EventName): Promise<Attempt[]> {
  const rows = await tx.query<DbAttempt>(attempts, [eventId, accountId]);
  return rows.map(({ endpoint_id: endpointId, started_at: startedAt, duration_ms: durationMs, ...rest }) => {
    return { endpointId, startedAtMs: startedAt.getTime(), durationMs, ...rest };
  });
}

const again = `on conflict (event_id, endpoint_id) do update set status = 'pending', tries = 0, due_at = excluded.due_at`;

const redeliver = {
  name: 'notify.redeliver_event',
  text: `insert into notify.delivery (event_id, endpoint_id, due_at)
select v.event_id, e.endpoint_id, $3 from notify.event v join notify.endpoint e on e.account_id = v.account_id
where v.event_id = $1 and v.account_id = $2 and e.disabled_for is null
  and case v.type when 'webhook.test' then v.data ->> 'endpoint_id' = e.endpoint_id::text
    else e.types is null or v.type = any (e.types) end
order by e.endpoint_id ${again}`,
};

/** Sends the event to every endpoint that would be told it now, also to those that had it. */
export async function redeliverEvent(tx: Transaction, { eventId, accountId }: EventName, nowMs: number): Promise<void> {
  await tx.query(redeliver, [eventId, accountId, toIso(nowMs)]);
}

const redeliverMissed = {
  name: 'notify.redeliver_missed',
  text: `with missed as (
  insert into notify.delivery (event_id, endpoint_id, due_at)
  select v.event_id, e.endpoint_id, $3 from notify.endpoint e join notify.event v on v.account_id = e.account_id
    left join notify.delivery d on d.event_id = v.event_id and d.endpoint_id = e.endpoint_id
  where e.endpoint_id = $1 and v.happened_at >= $2 and v.type <> 'webhook.test'
    and (e.types is null or v.type = any (e.types)) and coalesce(d.status, 'failed') = 'failed'
  order by v.place limit $4 ${again}
  returning 1
)
select count(*)::int as missed from missed`,
};

export interface Missed {
  readonly endpointId: string;
  /** Only events that happened at this time or later. */
  readonly fromMs: number;
  readonly nowMs: number;
  readonly rowsMax: number;
}

/** Sends what the endpoint was told in vain, or not at all, oldest first. Returns how many events. */
export async function redeliverMissedEvents(tx: Transaction, missed: Missed): Promise<number> {
  const values = [missed.endpointId, toIso(missed.fromMs), toIso(missed.nowMs), missed.rowsMax];
  return onlyRow(await tx.query<{ missed: number }>(redeliverMissed, values)).missed;
}
