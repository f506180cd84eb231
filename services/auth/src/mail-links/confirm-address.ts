import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { ReadAccount } from '../accounts/read-account.ts';
import { confirmEmail } from '../accounts/sql-email.ts';
import { hashLink, type Letters } from '../letters/letters.ts';
import { findLink, forgetLinks, useLink } from '../letters/sql-letter.ts';
import { noMail } from './reset-password.ts';

export interface ConfirmAddressDeps {
  readonly api: Database;
  readonly worker: Database;
  /** Undefined: there is no mail. */
  readonly letters: Letters | undefined;
  readonly readAccount: ReadAccount;
  readonly clock: Clock;
  /** Links live by it. */
  readonly realTime: Pick<Clock, 'now'>;
}

export interface ConfirmAddress {
  /** Mails a link, unless the address is confirmed and takes mail. */
  ask(accountId: string): Promise<void>;
  /** Whether the link is still good. It stays good: programs that look for evil links read it, too. */
  isGood(token: string): Promise<boolean>;
  /** Uses the link up. False: it is not good any more. */
  confirm(token: string, by: Actor): Promise<boolean>;
}

const purpose = 'email_confirmation';

export function createConfirmAddress(deps: ConfirmAddressDeps): ConfirmAddress {
  const { api, worker, letters, readAccount, clock, realTime } = deps;
  const linkOf = (token: string) => ({ linkHash: hashLink(token), purpose, nowMs: realTime.now() }) as const;
  return {
    async ask(accountId) {
      if (letters === undefined) throw noMail();
      const account = await readAccount(accountId);
      if (account === undefined || (account.isEmailVerified && account.emailBouncedAt === undefined)) return;
      await api.transaction((tx) => letters.sendLink(tx, purpose, accountId), { accountId });
    },
    isGood: async (token) => (await findLink(worker, linkOf(token))) !== undefined,
    async confirm(token, by) {
      const accountId = await findLink(worker, linkOf(token));
      if (accountId === undefined) return false;
      return api.transaction(
        async (tx) => {
          if (!(await useLink(tx, linkOf(token)))) return false;
          await forgetLinks(tx, accountId, purpose);
          const object = { kind: 'account', id: accountId };
          if (await confirmEmail(tx, accountId, clock.now()))
            await recordAct(tx, by, { action: 'email.confirmed', accountId, object });
          return true;
        },
        { accountId },
      );
    },
  };
}
