import type { Queryable } from '@tollgate/database/database';

const put = {
  name: 'auth.put_operator_token',
  text: `insert into auth.operator_token (token_hash, created_at) values ($1, $2)
on conflict (only_row) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`,
};

/** Replaces the operator's token. A trigger announces it to all services. */
export async function putOperatorToken(worker: Queryable, tokenHash: Uint8Array, createdAt: number): Promise<void> {
  await worker.query(put, [tokenHash, new Date(createdAt)]);
}
