import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import type { PasswordHasher } from '../accounts/argon2-password-hasher.ts';
import type { ReadAccount } from '../accounts/read-account.ts';
import { invalidCredentials, type UseSecondFactor } from '../accounts/begin-session.ts';
import { hasPasswordHash, lockAccount, type AccountWithHash } from '../accounts/sql-account.ts';
import { endOtherSessions, isSessionAlive } from '../sessions/sql-session.ts';
import type { SealedBox } from '@tollgate/kernel/sealed-box';

/** The dependencies that the use cases of this module share. */
export interface SecondFactorDeps {
  readonly api: Database;
  readonly readAccount: ReadAccount;
  readonly hasher: PasswordHasher;
  readonly box: SealedBox;
  readonly useSecondFactor: UseSecondFactor;
  readonly clock: Clock;
  /** The clock of authenticator apps. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly credentialsChanged: () => Promise<void>;
}

export interface Caller {
  readonly accountId: string;
  readonly sessionId: string;
}

/** The account, if this is its password. Throws `invalid_credentials`. */
export async function checkPassword(
  { readAccount, hasher }: Pick<SecondFactorDeps, 'readAccount' | 'hasher'>,
  accountId: string,
  password: string,
): Promise<AccountWithHash> {
  const account = await readAccount(accountId);
  if (!(await hasher.verify(account?.passwordHash, password)) || account === undefined) throw invalidCredentials();
  return account;
}

/**
 * Runs a change of the second factor under the lock of the account: a sign-in that is not committed yet is waited for.
 * Throws if the session has ended meanwhile, or the password is no longer the checked one: a stolen session that was ended
 * changes nothing.
 */
export function changeFactor<T>(
  api: Database,
  { accountId, sessionId, passwordHash }: Caller & { readonly passwordHash?: string },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return api.transaction(
    async (tx) => {
      await lockAccount(tx, accountId);
      if (!(await isSessionAlive(tx, sessionId)))
        throw new AppError('unauthorized', 'The session has ended. Sign in again.');
      if (passwordHash !== undefined && !(await hasPasswordHash(tx, accountId, passwordHash)))
        throw invalidCredentials();
      return work(tx);
    },
    { accountId },
  );
}

/** The other sessions of the account began under other terms. Returns how many ended. */
export function endOthers(tx: Transaction, { accountId, sessionId }: Caller, endedAt: number): Promise<number> {
  return endOtherSessions(tx, { accountId, keptSessionId: sessionId, endedAt, because: 'second_factor_changed' });
}

export function totpEnabled(): AppError {
  return new AppError('totp_enabled', 'Remove the second factor first, with the password and a code.');
}

export function noTotp(): AppError {
  return new AppError('not_found', 'The account has no second factor. Begin with `POST /v1/auth/totp`.');
}
