import { emailSchema } from '@tollgate/contracts/accounts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { Database } from '@tollgate/database/database';
import type { Letters } from '../letters/letters.ts';
import type { PasswordHasher } from './argon2-password-hasher.ts';
import { checkNewPassword } from './check-new-password.ts';
import type { PasswordRules } from './password-rules.ts';
import { findAccountByEmail } from './sql-account.ts';
import { storePassword } from './store-password.ts';

interface Deps {
  readonly api: Database;
  readonly letters: Letters | undefined;
  readonly worker: Database;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly passwordRules: PasswordRules;
}

export interface NewPassword {
  readonly email: string;
  readonly password: string;
  /** Revokes the keys as well: somebody who knew the old password may have created some. */
  readonly revokesApiKeys: boolean;
}

export type SetPassword = (wish: NewPassword, by: Actor) => Promise<void>;

/** The operator sets it for an owner who forgot the password. Ends all sessions of the account. Throws `not_found`. */
export function createSetPassword(deps: Deps): SetPassword {
  const { worker, hasher, clock, passwordRules } = deps;
  return async function setPassword({ email: typed, password, revokesApiKeys }, by) {
    const { data: email } = emailSchema.safeParse(typed);
    const account = email === undefined ? undefined : await findAccountByEmail(worker, email);
    if (email === undefined || account === undefined)
      throw new AppError('not_found', `There is no account with the e-mail ${typed}.`);
    checkNewPassword({ password, email, pointer: '/password' }, passwordRules);
    await storePassword(deps, {
      accountId: account.accountId,
      passwordHash: await hasher.hash(password),
      changedAt: clock.now(),
      expectedHash: undefined,
      keptSessionId: undefined,
      because: 'password_set',
      revokesApiKeys,
      by,
    });
  };
}
