import type { Transaction } from '@tollgate/database/database';

const read = { name: 'auth.read_embed_origins', text: 'select origins from auth.embed_origins where account_id = $1' };

/** None for an account that has never set any. */
export async function readEmbedOrigins(tx: Transaction, accountId: string): Promise<readonly string[]> {
  const [row] = await tx.query<{ origins: string[] }>(read, [accountId]);
  return row?.origins ?? [];
}

const put = {
  name: 'auth.put_embed_origins',
  text: `insert into auth.embed_origins (account_id, origins) values ($1, $2::text[])
on conflict (account_id) do update set origins = excluded.origins`,
};

export async function putEmbedOrigins(tx: Transaction, accountId: string, origins: readonly string[]): Promise<void> {
  await tx.query(put, [accountId, origins]);
}
