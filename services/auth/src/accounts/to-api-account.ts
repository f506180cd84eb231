import type { Account as ApiAccount } from '@tollgate/contracts/accounts/accounts';
import { toIso } from '@tollgate/kernel/clock';
import type { Account } from './sql-account.ts';

export function toApiAccount(account: Account): ApiAccount {
  const { accountId, email, createdAt, isEmailVerified, emailBouncedAt } = account;
  return {
    account_id: accountId,
    email,
    email_verified: isEmailVerified,
    email_bounced_at: emailBouncedAt === undefined ? null : toIso(emailBouncedAt),
    created_at: toIso(createdAt),
  };
}
