import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { Database } from '@tollgate/database/database';
import type { Letters } from '../letters/letters.ts';
import type { PasswordHasher } from './argon2-password-hasher.ts';
import { checkNewPassword } from './check-new-password.ts';
import type { PasswordRules } from './password-rules.ts';
import type { ReadAccount } from './read-account.ts';
import { invalidCredentials } from './begin-session.ts';
import { storePassword } from './store-password.ts';

interface Deps {
  readonly api: Database;
  readonly letters: Letters | undefined;
  readonly readAccount: ReadAccount;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly passwordRules: PasswordRules;
  readonly credentialsChanged: () => Promise<void>;
}

export interface PasswordRequest {
  readonly accountId: string;
  readonly sessionId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly revokesApiKeys: boolean;
}

export type ChangePassword = (request: PasswordRequest, by: Actor) => Promise<void>;

/** Resolved: the new password is durable, and all other sessions of the account have ended; so have its keys, if asked. */
export function createChangePassword(deps: Deps): ChangePassword {
  const { readAccount, hasher, clock, passwordRules, credentialsChanged } = deps;
  return async function changePassword(request, by) {
    const { accountId, sessionId, currentPassword, newPassword, revokesApiKeys } = request;
    const account = await readAccount(accountId);
    if (account === undefined) throw invalidCredentials();
    checkNewPassword({ password: newPassword, email: account.email, pointer: '/new_password' }, passwordRules);
    if (!(await hasher.verify(account.passwordHash, currentPassword))) throw invalidCredentials();
    const isStored = await storePassword(deps, {
      accountId,
      passwordHash: await hasher.hash(newPassword),
      changedAt: clock.now(),
      expectedHash: account.passwordHash,
      keptSessionId: sessionId,
      because: 'password_changed',
      revokesApiKeys,
      by,
    });
    if (!isStored) throw invalidCredentials(); // another change was faster, so the current password is out of date
    await credentialsChanged();
  };
}
