import { onlyRow, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

const text = `
with old as materialized (
  select event_id from notify.event where stored_at < $1 order by stored_at limit $2 for update skip locked
), gone as (
  delete from notify.event e using old where e.event_id = old.event_id returning 1
)
select count(*)::int as gone from gone`;

/** Deletes events that were stored before, with their deliveries and attempts. Returns how many. */
export async function forgetEvents(db: Queryable, { beforeMs, rowsMax }: { beforeMs: number; rowsMax: number }) {
  const statement = { name: 'notify.forget_events', text };
  return onlyRow(await db.query<{ gone: number }>(statement, [toIso(beforeMs), rowsMax])).gone;
}
