import { AppError } from '@tollgate/kernel/app-error';
import type { Database, Transaction } from '@tollgate/database/database';
import type { TokenAnswer } from '../sessions/access-token.ts';
import type { PrepareSession } from '../sessions/prepare-session.ts';
import { insertSession, type NewSession } from '../sessions/sql-session.ts';
import type { PasswordHasher } from './argon2-password-hasher.ts';
import { findAccountByEmail } from './sql-account.ts';

/** The code of a second factor that a caller sends. */
export interface PresentedFactor {
  readonly totpCode?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

export type FactorKind = 'totp' | 'recovery_code';

/**
 * Uses up the code in the transaction, under a lock on the account's row. Throws `second_factor_required`,
 * `invalid_second_factor`, and `rate_limit_exceeded`. Undefined: the account has no second factor, and needs no code.
 */
export type UseSecondFactor = (
  tx: Transaction,
  accountId: string,
  presented: PresentedFactor,
) => Promise<FactorKind | undefined>;

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly hasher: PasswordHasher;
  readonly prepareSession: PrepareSession;
  readonly refuseSuspended: (accountId: string) => void;
  readonly useSecondFactor: UseSecondFactor;
}

export type SignInCredentials = { readonly email: string; readonly password: string } & PresentedFactor;

export interface BegunSession {
  readonly session: NewSession;
  readonly factor: FactorKind | undefined;
}

type Also = (tx: Transaction, begun: BegunSession) => Promise<void>;

/** `also` runs in the transaction that stores the session. What it throws leaves no session. */
export type BeginSession = (credentials: SignInCredentials, also: Also) => Promise<TokenAnswer>;

/** An account whose password was right, and the hash with which it was compared. */
export interface CheckedPassword {
  readonly accountId: string;
  readonly passwordHash: string;
}

/**
 * The one way to begin a session by a password, in its two steps. An unknown e-mail costs the same hash and gets the same answer
 * as a wrong password (F71). The second factor is judged after the password, so a stranger does not learn that there is one.
 */
export interface SignInSteps {
  /** Throws `invalid_credentials` and `account_suspended`. */
  checkPassword(credentials: { readonly email: string; readonly password: string }): Promise<CheckedPassword>;
  /** Throws what the second factor throws, and `invalid_credentials` if the password was changed since the check. */
  begin(checked: CheckedPassword, presented: PresentedFactor, also: Also): Promise<TokenAnswer>;
}

export function createBeginSession({ checkPassword, begin }: SignInSteps): BeginSession {
  return async function beginSession({ email, password, ...presented }, also) {
    return begin(await checkPassword({ email, password }), presented, also);
  };
}

export function createSignInSteps(deps: Deps): SignInSteps {
  const { api, worker, hasher, prepareSession, refuseSuspended, useSecondFactor } = deps;

  async function checkPassword({ email, password }: { readonly email: string; readonly password: string }) {
    const account = await findAccountByEmail(worker, email);
    const matches = await hasher.verify(account?.passwordHash, password);
    if (account === undefined || !matches) throw invalidCredentials();
    refuseSuspended(account.accountId); // after the password: a stranger must not learn of it
    return account;
  }

  async function begin({ accountId, passwordHash }: CheckedPassword, presented: PresentedFactor, also: Also) {
    refuseSuspended(accountId);
    const { session, answer } = await prepareSession(accountId);
    await api.transaction(
      async (tx) => {
        const isStored = await insertSession(tx, session, passwordHash); // locks the account's row
        if (!isStored) throw invalidCredentials(); // the password was changed since we read its hash
        await also(tx, { session, factor: await useSecondFactor(tx, accountId, presented) });
      },
      { accountId },
    );
    return answer;
  }

  return { checkPassword, begin };
}

export function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'The e-mail or the password is wrong.');
}
