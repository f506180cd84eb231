import type { Transaction } from '@tollgate/database/database';

const put = {
  name: 'auth.put_operator_account',
  text: `update auth.account set operator_since = $2 where account_id = $1 and (operator_since is null) = ($2::timestamptz is not null)
returning account_id`,
};

/** Makes the account one of the operator, or with undefined makes it none any more. False where it is so already. */
export async function putOperatorAccount(
  tx: Transaction,
  accountId: string,
  operatorSince: number | undefined,
): Promise<boolean> {
  const since = operatorSince === undefined ? null : new Date(operatorSince);
  return (await tx.query(put, [accountId, since])).length === 1;
}
