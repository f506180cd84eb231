import { emailSchema } from '@tollgate/contracts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { checkNewPassword } from './check-new-password.ts';
import type { PasswordRules } from './password-rules.ts';
import type { AccountStore, PasswordHasher } from '../ports.ts';

interface Deps {
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly passwordRules: PasswordRules;
}

export type SetPassword = (credentials: { readonly email: string; readonly password: string }) => Promise<void>;

/** For the operator, on behalf of whoever forgot theirs. Ends all sessions of the account. Throws `not_found`. */
export function createSetPassword({ accounts, hasher, clock, passwordRules }: Deps): SetPassword {
  return async function setPassword({ email: typed, password }) {
    const { data: email } = emailSchema.safeParse(typed);
    const account = email === undefined ? undefined : await accounts.findByEmail(email);
    if (email === undefined || account === undefined)
      throw new AppError('not_found', 'There is no account with this e-mail.');
    checkNewPassword({ password, email, pointer: '/password' }, passwordRules);
    await accounts.changePassword({
      accountId: account.accountId,
      passwordHash: await hasher.hash(password),
      changedAt: clock.now(),
      expectedHash: undefined,
      keptSessionId: undefined,
      because: 'password_set',
    });
  };
}
