import { hash } from 'node:crypto';
import type { Queryable } from '@tollgate/database/database';

/** A thing that the library keeps: its kind, and its id. Ids of codes and refresh tokens are secrets. */
export interface ObjectName {
  readonly model: string;
  readonly id: string;
}

export interface StoredObject {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly consumedAt: number | undefined;
}

const valuesOf = ({ model, id }: ObjectName): [string, Buffer] => [model, hash('sha256', id, 'buffer')];

const put = {
  name: 'auth.put_oauth_object',
  text: `insert into auth.oauth_object (model, id_hash, payload, grant_id, expires_at) values ($1, $2, $3::jsonb, $4, $5)
on conflict (model, id_hash) do update set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
};

export interface ObjectToPut extends ObjectName {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly grantId: string | undefined;
  readonly expiresAt: number;
}

export async function putObject(db: Queryable, object: ObjectToPut): Promise<void> {
  const { payload, grantId, expiresAt } = object;
  await db.query(put, [...valuesOf(object), JSON.stringify(payload), grantId ?? null, new Date(expiresAt)]);
}

const find = {
  name: 'auth.find_oauth_object',
  text: 'select payload, consumed_at from auth.oauth_object where model = $1 and id_hash = $2 and expires_at > $3',
};

export async function findObject(db: Queryable, name: ObjectName, nowMs: number): Promise<StoredObject | undefined> {
  const [row] = await db.query<{ payload: Record<string, unknown>; consumed_at: Date | null }>(find, [
    ...valuesOf(name),
    new Date(nowMs),
  ]);
  return row && { payload: row.payload, consumedAt: row.consumed_at?.getTime() };
}

const consume = {
  name: 'auth.consume_oauth_object',
  text: `update auth.oauth_object set consumed_at = $3 where model = $1 and id_hash = $2 and consumed_at is null
returning id_hash`,
};

/** False for an object that is gone or was consumed before: of racing callers one gets true. */
export async function consumeObject(db: Queryable, name: ObjectName, atMs: number): Promise<boolean> {
  return (await db.query(consume, [...valuesOf(name), new Date(atMs)])).length === 1;
}

const destroy = {
  name: 'auth.destroy_oauth_object',
  text: 'delete from auth.oauth_object where model = $1 and id_hash = $2',
};

export async function destroyObject(db: Queryable, name: ObjectName): Promise<void> {
  await db.query(destroy, valuesOf(name));
}

const destroyOfGrant = {
  name: 'auth.destroy_oauth_objects_of_grant',
  text: 'delete from auth.oauth_object where model = $1 and grant_id = $2',
};

export async function destroyObjectsOf(db: Queryable, model: string, grantId: string): Promise<void> {
  await db.query(destroyOfGrant, [model, grantId]);
}

const succeed = {
  name: 'auth.put_oauth_successor',
  text: `with first as (
  update auth.oauth_object set successor_sealed = $3 where model = $1 and id_hash = $2 and successor_sealed is null
  returning successor_sealed
)
select successor_sealed from first
union all
select successor_sealed from auth.oauth_object
where model = $1 and id_hash = $2 and successor_sealed is not null and not exists (select from first)`,
};

/**
 * Keeps what replaced a refresh token, and returns the first that did. Undefined: the token is gone, or another request keeps
 * its successor right now; a second call then sees it.
 */
export async function putSuccessor(db: Queryable, name: ObjectName, sealed: Uint8Array): Promise<Buffer | undefined> {
  const [row] = await db.query<{ successor_sealed: Buffer }>(succeed, [...valuesOf(name), sealed]);
  return row?.successor_sealed;
}
