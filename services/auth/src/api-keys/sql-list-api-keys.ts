import type { Queryable } from '@tollgate/database/database';
import type { ApiKey, ApiKeyQuery } from '../ports.ts';

interface ApiKeyRow {
  key_id: string;
  name: string;
  prefix: string;
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** Live keys after the cursor, newest first. */
export async function listApiKeys(db: Queryable, { accountId, after, limit }: ApiKeyQuery): Promise<ApiKey[]> {
  const values = [accountId, after === undefined ? null : new Date(after.createdAt), after?.keyId ?? null, limit];
  return (await db.query<ApiKeyRow>(statement, values)).map(fromApiKeyRow);
}

function fromApiKeyRow(row: ApiKeyRow): ApiKey {
  return {
    keyId: row.key_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at?.getTime(),
  };
}

const statement = {
  name: 'auth.list_api_keys',
  text: `select key_id, name, prefix, last_four, created_at, last_used_at
from auth.api_key
where account_id = $1 and revoked_at is null
  and ($2::timestamptz is null or (created_at, key_id) < ($2, $3::uuid))
order by created_at desc, key_id desc
limit $4`,
};
