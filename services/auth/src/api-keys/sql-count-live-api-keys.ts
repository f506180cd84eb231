import { onlyRow, type Queryable } from '@tollgate/database/database';

export async function countLiveApiKeys(db: Queryable, accountId: string): Promise<number> {
  return onlyRow(await db.query<{ live: number }>(statement, [accountId])).live;
}

const statement = {
  name: 'auth.count_live_api_keys',
  text: 'select count(*)::int as live from auth.api_key where account_id = $1 and revoked_at is null',
};
