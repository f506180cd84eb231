import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';

const endAll = `with ended as (
  update auth.session set ended_at = $1, ended_because = 'operator' where ended_at is null returning session_id
) select count(*)::int as ended from ended`;

/** Ends every session of every account. A trigger announces each to all services. */
export async function endAllSessions(tx: Transaction, endedAt: number): Promise<number> {
  return onlyRow(await tx.query<{ ended: number }>(endAll, [new Date(endedAt)])).ended;
}

const forgetTokens = `delete from auth.oauth_object where model <> 'Client'`;

/** Deletes all codes and refresh tokens of OAuth: some were used or revoked since, and would work again. */
export async function forgetOAuthTokens(tx: Transaction): Promise<void> {
  await tx.query(forgetTokens);
}

const forgetLinks = `delete from auth.mail_link`;

/** Deletes all links that were mailed: some were used since, and would work again. */
export async function forgetMailLinks(tx: Transaction): Promise<void> {
  await tx.query(forgetLinks);
}

export interface LiveKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly lastFour: string;
  readonly lastUsedAt: number | undefined;
}

interface LiveKeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly email: string;
  readonly name: string;
  readonly last_four: string;
  readonly last_used_at: Date | null;
}

const listLive = `select key_id, account_id, email, name, last_four, last_used_at
from auth.api_key join auth.account using (account_id) where revoked_at is null order by email, key_id`;

/** Every key that works, of all accounts. */
export async function listLiveKeys(db: Queryable): Promise<LiveKey[]> {
  return (await db.query<LiveKeyRow>(listLive, [])).map((row) => ({
    keyId: row.key_id,
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    lastFour: row.last_four,
    lastUsedAt: row.last_used_at?.getTime(),
  }));
}

const revokeKeys = `update auth.api_key set revoked_at = $2 where key_id = any ($1::uuid[]) and revoked_at is null`;

export async function revokeKeysById(tx: Transaction, keyIds: readonly string[], revokedAt: number): Promise<void> {
  await tx.query(revokeKeys, [keyIds, new Date(revokedAt)]);
}

export interface RevokedPass {
  readonly passId: string;
  readonly accountId: string;
  readonly name: string;
}

// Ids come from the lines of a log, so they are compared as texts.
const revokePasses = `update gate.pass set revoked_at = $2
where pass_id::text = any ($1::text[]) and revoked_at is null returning pass_id, account_id, name`;

/** Revokes the live passes among these. */
export async function revokePassesById(
  tx: Transaction,
  passIds: readonly string[],
  revokedAt: number,
): Promise<RevokedPass[]> {
  const rows = await tx.query<{ pass_id: string; account_id: string; name: string }>(revokePasses, [
    passIds,
    new Date(revokedAt),
  ]);
  return rows.map((row) => ({ passId: row.pass_id, accountId: row.account_id, name: row.name }));
}

const readNewest = `select max(occurred_at) as newest from audit.act`;

/** When the newest act of this database was done; epoch ms. */
export async function readNewestActTime(db: Queryable): Promise<number | undefined> {
  return onlyRow(await db.query<{ newest: Date | null }>(readNewest, [])).newest?.getTime();
}
