import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { AppError } from '@tollgate/kernel/app-error';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { PasswordHasher } from '../accounts/argon2-password-hasher.ts';
import type { PresentedFactor, UseSecondFactor } from '../accounts/begin-session.ts';
import { checkNewPassword } from '../accounts/check-new-password.ts';
import type { PasswordRules } from '../accounts/password-rules.ts';
import type { ReadAccount } from '../accounts/read-account.ts';
import { confirmEmail } from '../accounts/sql-email.ts';
import { findAccountByEmail, lockAccount } from '../accounts/sql-account.ts';
import { storePasswordIn } from '../accounts/store-password.ts';
import { hashLink, type Letters } from '../letters/letters.ts';
import { findLink, forgetLinks, useLink } from '../letters/sql-letter.ts';
import { readTotp } from '../second-factor/sql-totp.ts';

export interface ResetPasswordDeps {
  readonly api: Database;
  readonly worker: Database;
  /** Undefined: there is no mail. */
  readonly letters: Letters | undefined;
  readonly hasher: PasswordHasher;
  readonly passwordRules: PasswordRules;
  readonly readAccount: ReadAccount;
  readonly useSecondFactor: UseSecondFactor;
  readonly clock: Clock;
  /** Links live by it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly credentialsChanged: () => Promise<void>;
}

export interface ResetWish extends PresentedFactor {
  readonly token: string;
  readonly accountId: string;
  readonly password: string;
}

/** The account of a link that is still good. */
export interface ResetTarget {
  readonly accountId: string;
  readonly email: string;
  readonly hasSecondFactor: boolean;
}

export interface ResetPassword {
  /** Mails a link, if the address has an account. Whether it has one shows neither in the answer nor in the work. */
  ask(email: string): Promise<void>;
  /** Undefined: the link is not good any more. It stays good. */
  find(token: string): Promise<ResetTarget | undefined>;
  /**
   * Sets the password by the link, which is used up, and ends all sessions. Throws `not_found` for a link that is not good any
   * more, and what password rules and the second factor throw; then the link stays good.
   */
  set(wish: ResetWish, by: Actor): Promise<void>;
}

const purpose = 'password_reset';

export function createResetPassword(deps: ResetPasswordDeps): ResetPassword {
  const { api, worker, letters, hasher, passwordRules, readAccount, useSecondFactor, clock, realTime } = deps;
  const linkOf = (token: string) => ({ linkHash: hashLink(token), purpose, nowMs: realTime.now() }) as const;

  async function find(token: string): Promise<ResetTarget | undefined> {
    const accountId = await findLink(worker, linkOf(token));
    const account = accountId === undefined ? undefined : await readAccount(accountId);
    if (account === undefined) return undefined;
    const totp = await api.transaction((tx) => readTotp(tx, account.accountId), { accountId: account.accountId });
    return { ...account, hasSecondFactor: totp?.confirmedAt !== undefined };
  }

  return {
    async ask(email) {
      if (letters === undefined) throw noMail();
      await worker.transaction(async (tx) => {
        const account = await findAccountByEmail(tx, email);
        await letters.sendLink(tx, purpose, account?.accountId ?? null);
      });
    },
    find,
    async set({ token, accountId, password, ...factor }, by) {
      const account = await readAccount(accountId);
      if (account === undefined) throw linkGone();
      checkNewPassword({ password, email: account.email, pointer: '/password' }, passwordRules);
      const passwordHash = await hasher.hash(password);
      await api.transaction(
        async (tx) => {
          await lockAccount(tx, accountId);
          if (!(await useLink(tx, linkOf(token)))) throw linkGone();
          await useSecondFactor(tx, accountId, factor);
          await storePasswordIn(tx, letters, {
            accountId,
            passwordHash,
            changedAt: clock.now(),
            expectedHash: undefined,
            keptSessionId: undefined,
            because: 'password_set',
            revokesApiKeys: false,
            by,
          });
          await forgetLinks(tx, accountId, purpose);
          await confirmEmail(tx, accountId, clock.now()); // the link came to the address
        },
        { accountId },
      );
      await deps.credentialsChanged();
    },
  };
}

/** The answer where the operator has set no mail server. */
export function noMail(): AppError {
  return new AppError('not_found', 'This Tollgate sends no mail. Its operator can set a new password.');
}

function linkGone(): AppError {
  return new AppError('not_found', 'The link was used already, or it has expired.');
}
