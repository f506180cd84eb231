import { onlyRow, type Queryable } from '@tollgate/database/database';

const readLastSeq = { name: 'auth.read_changed_seq', text: 'select last_value from auth.changed_seq' };

/** The number of the latest change so far. */
export async function readChangedSeq(db: Queryable): Promise<bigint> {
  return onlyRow(await db.query<{ last_value: bigint }>(readLastSeq)).last_value;
}

export interface SweepLimits {
  readonly now: number;
  readonly sessionsRefreshedBefore: number;
  readonly sessionsCreatedBefore: number;
  readonly tokensExpiredBefore: number;
  readonly keysRevokedBefore: number;
  readonly signingKeysRetiredBefore: number;
  readonly deviceLoginsExpiredBefore: number;
  readonly oauthExpiredBefore: number;
  readonly cookiesUsedBefore: number;
  readonly cookiesCreatedBefore: number;
  readonly embedsExpiredBefore: number;
  /** Rows whose last change has a greater number stay. */
  readonly changedSeqMax: bigint;
}

const sweep = {
  name: 'auth.delete_expired',
  text: `with sessions as (
  delete from auth.session s
  where (ended_at is not null or refreshed_at < $1 or created_at < $6) and token_expires_at < $2 and changed_seq <= $5
    and (ended_at is not null or not exists (
      select from auth.session_cookie c where c.session_id = s.session_id and c.used_at > $10 and c.created_at > $11))
  returning 1
), api_keys as (
  delete from auth.api_key
  where least(revoked_at, expires_at) < $3 and changed_seq <= $5 and coalesce(revoked_at, expiry_seen_at) is not null
  returning 1
), signing_keys as (
  delete from auth.signing_key where retired_at < $4 returning 1
), device_logins as (
  delete from auth.device_login where expires_at < $7 returning session_id, redeemed_at
), mail_links as (
  delete from auth.mail_link where expires_at < $9 returning 1
), embeds as (
  delete from auth.embed where expires_at < $12 returning 1
), letters as (
  delete from auth.letter where expires_at < $9 returning 1
), oauth_objects as (
  delete from auth.oauth_object o where expires_at < $9 and (model <> 'Client' or not exists (
    select from auth.oauth_grant g where g.client_id = o.payload->>'client_id' and g.ended_at is null))
  returning model, payload
), abandoned as (
  update auth.session s set ended_at = $8, ended_because = 'logout'
  from oauth_objects o where o.model = 'SignIn' and s.session_id = (o.payload->>'sessionId')::uuid and s.ended_at is null
), unfetched as (
  update auth.session s set ended_at = $8, ended_because = 'logout'
  from device_logins l where s.session_id = l.session_id and l.redeemed_at is null and s.ended_at is null
)
select (select count(*)::int from sessions) as sessions, (select count(*)::int from api_keys) as api_keys,
  (select count(*)::int from signing_keys) as signing_keys,
  (select count(*)::int from device_logins) as device_logins,
  (select count(*)::int from mail_links) as mail_links, (select count(*)::int from letters) as letters,
  (select count(*)::int from embeds) as embeds,
  (select count(*)::int from oauth_objects) as oauth_objects`,
};

/**
 * Deletes links of mails that have expired, with letters that nobody took; deletes embeds a day after their end, until when their frames say so; deletes what OAuth keeps for a while, and clients without a consent, and ends sign-ins that led to none; deletes logins of devices that have expired, and ends their sessions if nobody fetched the token; deletes sessions without a live token or cookie, keys that
 * ended long ago, and signing keys whose tokens cannot refresh any more.
 */
export async function deleteExpired(db: Queryable, limits: SweepLimits): Promise<Record<string, number>> {
  const values = [
    new Date(limits.sessionsRefreshedBefore),
    new Date(limits.tokensExpiredBefore),
    new Date(limits.keysRevokedBefore),
    new Date(limits.signingKeysRetiredBefore),
    limits.changedSeqMax,
    new Date(limits.sessionsCreatedBefore),
    new Date(limits.deviceLoginsExpiredBefore),
    new Date(limits.now),
    new Date(limits.oauthExpiredBefore),
    new Date(limits.cookiesUsedBefore),
    new Date(limits.cookiesCreatedBefore),
    new Date(limits.embedsExpiredBefore),
  ];
  return onlyRow(await db.query<Record<string, number>>(sweep, values));
}
