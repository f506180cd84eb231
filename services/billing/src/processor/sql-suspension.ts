import type { Transaction } from '@tollgate/database/database';

const isSuspendedText = `
select from auth.account_suspension_v1 where account_id = $1 and resumed_at is null`;

/**
 * Whether the operator has cut the account off. No charge and no transfer of it begins then; what is due stays due, and
 * goes on when the account is resumed.
 */
export async function isSuspended(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.is_suspended', text: isSuspendedText }, [accountId])).length > 0;
}
