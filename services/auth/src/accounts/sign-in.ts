import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { IssueToken, TokenAnswer } from '../sessions/access-token.ts';
import type { AccountStore, PasswordHasher, SessionStore } from '../ports.ts';
import { prepareSession } from '../sessions/prepare-session.ts';

interface Deps {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly hasher: PasswordHasher;
  readonly issueToken: IssueToken;
  readonly clock: Clock;
}

export type SignIn = (credentials: { readonly email: string; readonly password: string }) => Promise<TokenAnswer>;

/** An unknown e-mail costs the same hash and gets the same answer as a wrong password (F71). */
export function createSignIn({ accounts, sessions, hasher, issueToken, clock }: Deps): SignIn {
  return async function signIn({ email, password }) {
    const account = await accounts.findByEmail(email);
    const matches = await hasher.verify(account?.passwordHash, password);
    if (account === undefined || !matches) throw invalidCredentials();
    const { session, answer } = await prepareSession(account.accountId, { issueToken, clock });
    if (!(await sessions.begin(session, account.passwordHash))) throw invalidCredentials(); // changed since we read it
    return answer;
  };
}

export function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'The e-mail or the password is wrong.');
}
