import type { Queryable } from '@tollgate/database/database';

const see = {
  name: 'auth.see_expired_api_keys',
  text: `with due as materialized (
  select key_id from auth.api_key
  where expires_at <= $1 and revoked_at is null and expiry_seen_at is null
  order by expires_at limit $2 for update skip locked
)
update auth.api_key k set expiry_seen_at = $1 from due where k.key_id = due.key_id
returning k.key_id`,
};

/** Marks keys that have expired and were not marked before; a trigger tells their owners. Returns how many. */
export async function seeExpiredKeys(
  worker: Queryable,
  { nowMs, keysMax }: { readonly nowMs: number; readonly keysMax: number },
): Promise<number> {
  return (await worker.query(see, [new Date(nowMs), keysMax])).length;
}
