import type { Account as ApiAccount } from '@tollgate/contracts/accounts/accounts';
import { toIso } from '@tollgate/kernel/clock';
import type { Account } from './sql-account.ts';

export function toApiAccount({ accountId, email, createdAt }: Account): ApiAccount {
  return { account_id: accountId, email, created_at: toIso(createdAt) };
}
