import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { SweepLimits } from './sweep-expired.ts';

/** Deletes what nothing can ask for any more: no token of these sessions is alive, no token of these keys can refresh. */
export async function sweep(db: Queryable, limits: SweepLimits): Promise<Record<string, number>> {
  const values = [
    new Date(limits.sessionsRefreshedBefore),
    new Date(limits.tokensExpiredBefore),
    new Date(limits.keysRevokedBefore),
    new Date(limits.signingKeysRetiredBefore),
    limits.changedSeqMax,
  ];
  return onlyRow(await db.query<Record<string, number>>(statement, values));
}

const statement = {
  name: 'auth.sweep',
  text: `with sessions as (
  delete from auth.session
  where (ended_at is not null or refreshed_at < $1) and token_expires_at < $2 and changed_seq <= $5
  returning 1
), api_keys as (
  delete from auth.api_key where revoked_at < $3 and changed_seq <= $5 returning 1
), signing_keys as (
  delete from auth.signing_key where retired_at < $4 returning 1
)
select (select count(*)::int from sessions) as sessions, (select count(*)::int from api_keys) as api_keys,
  (select count(*)::int from signing_keys) as signing_keys`,
};
