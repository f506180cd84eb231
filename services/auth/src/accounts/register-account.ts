import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { IssueToken, TokenAnswer } from '../sessions/access-token.ts';
import { checkNewPassword } from './check-new-password.ts';
import type { PasswordRules } from './password-rules.ts';
import type { AccountStore, PasswordHasher } from '../ports.ts';
import { prepareSession } from '../sessions/prepare-session.ts';

interface Deps {
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly issueToken: IssueToken;
  readonly clock: Clock;
  readonly passwordRules: PasswordRules;
}

export type RegisterAccount = (credentials: {
  readonly email: string;
  readonly password: string;
}) => Promise<TokenAnswer>;

/** Resolved: account and first session are durable. Throws `conflict` email_taken. */
export function createRegisterAccount(deps: Deps): RegisterAccount {
  const { accounts, hasher, clock } = deps;
  return async function registerAccount({ email, password }) {
    checkNewPassword({ password, email, pointer: '/password' }, deps.passwordRules);
    if ((await accounts.findByEmail(email)) !== undefined) throw emailTaken(); // spares the hash; the store decides races
    const passwordHash = await hasher.hash(password);
    const createdAt = clock.now();
    const accountId = uuidV7(createdAt);
    const { session, answer } = await prepareSession(accountId, deps);
    const outcome = await accounts.register({ accountId, email, passwordHash, createdAt }, session);
    if (outcome === 'email_taken') throw emailTaken();
    return answer;
  };
}

function emailTaken(): AppError {
  return new AppError('email_taken', 'An account with this e-mail exists already.');
}
