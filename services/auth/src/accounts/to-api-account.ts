import type { Account as ApiAccount } from '@tollgate/contracts/accounts/accounts';
import { toIso } from '@tollgate/kernel/clock';
import type { Account, OwnAccount } from './sql-account.ts';

export function toApiAccount({ isOperator, ...account }: OwnAccount): ApiAccount {
  return { ...toApiAccountOfAny(account), operator: isOperator };
}

/** The part that the operator's view of an account has, too. */
export function toApiAccountOfAny(account: Account): Omit<ApiAccount, 'operator'> {
  const { accountId, email, createdAt, isEmailVerified, emailBouncedAt, publicName } = account;
  return {
    account_id: accountId,
    email,
    email_verified: isEmailVerified,
    email_bounced_at: emailBouncedAt === undefined ? null : toIso(emailBouncedAt),
    public_name: publicName ?? null,
    created_at: toIso(createdAt),
  };
}
