import { onlyRow, type Queryable } from '@tollgate/database/database';

const text = `select exists (
  select from auth.account_suspension_v1 where account_id = $1 and resumed_at is null) as is_suspended`;

/** Whether the operator has cut the account off. Uses the primary key. */
export async function findSuspended(db: Queryable, accountId: string): Promise<boolean> {
  const statement = { name: 'gate.find_suspended', text };
  return onlyRow(await db.query<{ is_suspended: boolean }>(statement, [accountId])).is_suspended;
}
