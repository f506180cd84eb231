import { onlyRow, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { insertMails } from './sql-insert-mails.ts';

const text = `
with taken as materialized (
  select * from auth.take_outbox($1)
  union all select * from billing.take_outbox($1)
  union all select * from gate.take_outbox($1)
  union all select * from usage.take_outbox($1)
), stored as (
  insert into notify.event (event_id, account_id, type, data, happened_at, stored_at, traceparent)
  select event_id, account_id, type, data, happened_at, $2, traceparent from taken order by written_at, version
  returning place
), relayed as (
  insert into notify.relay (place) select place from stored where $4
), mailed as (
  ${insertMails('taken', { now: '$2', types: '$3' })}
), told as (
  insert into notify.delivery (event_id, endpoint_id, due_at)
  select t.event_id, e.endpoint_id, $2
  from taken t join notify.endpoint e on e.account_id = t.account_id or e.account_id is null
  where e.disabled_for is null and (e.types is null or t.type = any (e.types)) and e.registered_at <= t.written_at
)
select count(*)::int as taken from taken`;

export interface Taking {
  readonly rowsMax: number;
  readonly nowMs: number;
  /** Events of these types are mailed. */
  readonly mailTypes: readonly string[];
  /** Whether they go to Kafka, too. */
  readonly isRelayed: boolean;
}

/**
 * Takes the oldest rows out of each outbox, so many at most: each becomes an event, on its way to every endpoint that hears of
 * it, and a mail if its type is mailed. All of it is one transaction, so a row is never lost and never comes twice. Several
 * callers take different rows. Returns how many.
 */
export async function takeOutbox(db: Queryable, { rowsMax, nowMs, mailTypes, isRelayed }: Taking): Promise<number> {
  const values = [rowsMax, toIso(nowMs), mailTypes, isRelayed];
  return onlyRow(await db.query<{ taken: number }>({ name: 'notify.take_outbox', text }, values)).taken;
}
