import type { Queryable } from '@tollgate/database/database';

const text = 'select account_id, public_name from auth.shown_seller_v1 where account_id = any($1::uuid[])';

/** The public names of accounts that have one, by account. */
export async function findSellers(
  db: Queryable,
  accountIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  if (accountIds.size === 0) return new Map();
  const rows = await db.query<{ account_id: string; public_name: string }>(text, [[...accountIds]]);
  return new Map(rows.map((row) => [row.account_id, row.public_name]));
}
