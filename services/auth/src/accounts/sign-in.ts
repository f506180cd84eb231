import { AppError } from '@tollgate/kernel/app-error';
import type { Actor } from '@tollgate/runtime/audit/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import type { TokenAnswer } from '../sessions/access-token.ts';
import type { PrepareSession } from '../sessions/prepare-session.ts';
import { insertSession } from '../sessions/sql-session.ts';
import type { PasswordHasher } from './argon2-password-hasher.ts';
import { asSession } from './as-session.ts';
import { findAccountByEmail } from './sql-account.ts';

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly hasher: PasswordHasher;
  readonly prepareSession: PrepareSession;
  readonly refuseSuspended: (accountId: string) => void;
}

export type SignIn = (
  credentials: { readonly email: string; readonly password: string },
  by: Actor,
) => Promise<TokenAnswer>;

/** An unknown e-mail costs the same hash and gets the same answer as a wrong password (F71). */
export function createSignIn({ api, worker, hasher, prepareSession, refuseSuspended }: Deps): SignIn {
  return async function signIn({ email, password }, by) {
    const account = await findAccountByEmail(worker, email);
    const matches = await hasher.verify(account?.passwordHash, password);
    if (account === undefined || !matches) throw invalidCredentials();
    const { accountId, passwordHash } = account;
    refuseSuspended(accountId); // after the password: a stranger must not learn of it
    const { session, answer } = await prepareSession(accountId);
    const act = { action: 'account.signed_in', accountId, object: { kind: 'account', id: accountId } } as const;
    const isStored = await api.transaction(
      async (tx) => {
        if (!(await insertSession(tx, session, passwordHash))) return false;
        await recordAct(tx, asSession(by, session), act);
        return true;
      },
      { accountId },
    );
    if (!isStored) throw invalidCredentials(); // the password was changed since we read its hash
    return answer;
  };
}

export function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'The e-mail or the password is wrong.');
}
