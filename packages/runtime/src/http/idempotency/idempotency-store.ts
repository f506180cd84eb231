import { createHash } from 'node:crypto';
import type { Queryable } from '@tollgate/database/database';

export type ReplySchema = 'auth' | 'billing' | 'gate' | 'notify';

export interface ReplyKey {
  readonly accountId: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

export interface StoredReply {
  readonly bodyHash: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The secrets of the answer, if it has any. */
  readonly sealed: Uint8Array | null;
}

/** Locks the key until the transaction ends. False: another transaction holds it. A clash of the 64 bits of SHA-256 costs a needless 409. */
export async function tryLockKey(
  tx: Queryable,
  schema: ReplySchema,
  { accountId, method, path, key }: ReplyKey,
): Promise<boolean> {
  const digest = createHash('sha256')
    .update(JSON.stringify([schema, accountId, method, path, key]))
    .digest();
  const [row] = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as locked', [
    digest.readBigInt64BE().toString(),
  ]);
  return row?.locked === true;
}

export async function findReply(
  tx: Queryable,
  schema: ReplySchema,
  { accountId, method, path, key }: ReplyKey,
): Promise<StoredReply | undefined> {
  const [row] = await tx.query<{
    body_hash: Uint8Array;
    status: number;
    headers: Record<string, string>;
    body: unknown;
    sealed: Uint8Array | null;
  }>(
    `select body_hash, status, headers, body, sealed from ${schema}.idempotency_reply
     where account_id = $1::uuid and method = $2 and path = $3 and key = $4`,
    [accountId, method, path, key],
  );
  if (row === undefined) return undefined;
  const { body_hash: bodyHash, ...rest } = row;
  return { ...rest, bodyHash: Buffer.from(bodyHash) };
}

export async function storeReply(
  tx: Queryable,
  schema: ReplySchema,
  reply: ReplyKey & StoredReply & { readonly createdAt: string },
): Promise<void> {
  await tx.query(
    `insert into ${schema}.idempotency_reply (account_id, method, path, key, body_hash, status, headers, body, created_at, sealed)
     values ($1::uuid, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9::timestamptz, $10::bytea)`,
    [
      reply.accountId,
      reply.method,
      reply.path,
      reply.key,
      reply.bodyHash,
      reply.status,
      JSON.stringify(reply.headers),
      JSON.stringify(reply.body ?? null),
      reply.createdAt,
      reply.sealed,
    ],
  );
}

export async function forgetReplies(db: Queryable, schema: ReplySchema, before: string): Promise<number> {
  const rows = await db.query<{ forgotten: number }>(
    `with gone as (delete from ${schema}.idempotency_reply where created_at < $1::timestamptz returning 1)
     select count(*)::int as forgotten from gone`,
    [before],
  );
  return rows[0]?.forgotten ?? 0;
}
