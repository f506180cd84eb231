import type { Clock } from '@tollgate/kernel/clock';
import { checkNewPassword } from './check-new-password.ts';
import type { PasswordRules } from './password-rules.ts';
import type { AccountStore, PasswordHasher } from '../ports.ts';
import { invalidCredentials } from './sign-in.ts';

interface Deps {
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly passwordRules: PasswordRules;
}

export interface PasswordRequest {
  readonly accountId: string;
  readonly sessionId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
}

export type ChangePassword = (request: PasswordRequest) => Promise<void>;

/** Resolved: the new password is durable and all other sessions of the account have ended, in one transaction. */
export function createChangePassword({ accounts, hasher, clock, passwordRules }: Deps): ChangePassword {
  return async function changePassword({ accountId, sessionId, currentPassword, newPassword }) {
    const account = await accounts.read(accountId);
    if (account === undefined) throw invalidCredentials();
    checkNewPassword({ password: newPassword, email: account.email, pointer: '/new_password' }, passwordRules);
    if (!(await hasher.verify(account.passwordHash, currentPassword))) throw invalidCredentials();
    const isChanged = await accounts.changePassword({
      accountId,
      passwordHash: await hasher.hash(newPassword),
      changedAt: clock.now(),
      expectedHash: account.passwordHash,
      keptSessionId: sessionId,
      because: 'password_changed',
    });
    if (!isChanged) throw invalidCredentials(); // another change was faster: the current password is not current any more
  };
}
