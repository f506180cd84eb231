import type { Transaction } from '@tollgate/database/database';

/** Something that happened, on its way to Kafka. */
export interface RelayedEvent {
  readonly eventId: string;
  /** Null: it is for the operator alone. */
  readonly accountId: string | null;
  readonly type: string;
  readonly happenedAtMs: number;
  readonly data: Readonly<Record<string, unknown>>;
}

interface DbEvent {
  readonly event_id: string;
  readonly account_id: string | null;
  readonly type: string;
  readonly happened_at: Date;
  readonly data: Record<string, unknown>;
}

const take = {
  name: 'notify.take_relay',
  text: `with oldest as materialized (
  select place from notify.relay order by place limit $1 for update skip locked
), gone as (
  delete from notify.relay r using oldest o where r.place = o.place returning r.place
)
select e.event_id, e.account_id, e.type, e.happened_at, e.data from notify.event e join gone using (place) order by e.place`,
};

/** Takes the oldest events. They are gone when the caller's transaction commits; several callers take different ones. */
export async function takeRelayedEvents(tx: Transaction, rowsMax: number): Promise<RelayedEvent[]> {
  const rows = await tx.query<DbEvent>(take, [rowsMax]);
  return rows.map(({ event_id: eventId, account_id: accountId, type, happened_at: happenedAt, data }) => {
    return { eventId, accountId, type, happenedAtMs: happenedAt.getTime(), data };
  });
}
