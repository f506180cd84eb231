import { onlyRow, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

const text = `
with taken as materialized (
  select * from auth.take_letters($1)
), stored as (
  insert into notify.mail (mail_id, account_id, type, data, link_sealed, happened_at, expires_at, stored_at, due_at)
  select letter_id, account_id, type, '{}', link_sealed, asked_at, expires_at, $2, $2 from taken where account_id is not null
)
select count(*)::int as taken from taken`;

/** Takes the letters that auth has written. A letter to nobody goes nowhere. Returns how many. */
export async function takeLetters(
  db: Queryable,
  { rowsMax, nowMs }: { rowsMax: number; nowMs: number },
): Promise<number> {
  const statement = { name: 'notify.take_letters', text };
  return onlyRow(await db.query<{ taken: number }>(statement, [rowsMax, toIso(nowMs)])).taken;
}
