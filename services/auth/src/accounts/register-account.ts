import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import type { Letters } from '../letters/letters.ts';
import type { TokenAnswer } from '../sessions/access-token.ts';
import type { PrepareSession } from '../sessions/prepare-session.ts';
import { insertSession } from '../sessions/sql-session.ts';
import type { PasswordHasher } from './argon2-password-hasher.ts';
import { checkNewPassword } from './check-new-password.ts';
import type { PasswordRules } from './password-rules.ts';
import { asSession } from './as-session.ts';
import { findAccountByEmail, insertAccount } from './sql-account.ts';

interface Deps {
  /** Connects as auth_worker: a caller who registers has no account yet. */
  readonly worker: Database;
  readonly hasher: PasswordHasher;
  readonly prepareSession: PrepareSession;
  readonly clock: Clock;
  readonly passwordRules: PasswordRules;
  /** Undefined: there is no mail. */
  readonly letters: Letters | undefined;
}

export type RegisterAccount = (
  credentials: { readonly email: string; readonly password: string },
  by: Actor,
) => Promise<TokenAnswer>;

/**
 * Resolved: the account and its first session are durable. Throws `email_taken`; of racing callers, all but the first
 * get it.
 */
export function createRegisterAccount(deps: Deps): RegisterAccount {
  const { worker, hasher, prepareSession, clock, passwordRules, letters } = deps;
  return async function registerAccount({ email, password }, by) {
    checkNewPassword({ password, email, pointer: '/password' }, passwordRules);
    if ((await findAccountByEmail(worker, email)) !== undefined) throw emailTaken(); // saves the hash; the insert decides races
    const passwordHash = await hasher.hash(password);
    const createdAt = clock.now();
    const accountId = uuidV7(createdAt);
    const { session, answer } = await prepareSession(accountId);
    await worker.transaction(async (tx) => {
      if (!(await insertAccount(tx, { accountId, email, passwordHash, createdAt }))) throw emailTaken();
      await insertSession(tx, session, passwordHash);
      const act = { action: 'account.registered', accountId, object: { kind: 'account', id: accountId } } as const;
      await recordAct(tx, asSession(by, session), act);
      await letters?.sendLink(tx, 'email_confirmation', accountId);
    });
    return answer;
  };
}

function emailTaken(): AppError {
  return new AppError('email_taken', 'An account with this e-mail exists already.');
}
