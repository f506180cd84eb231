import { emailSchema } from '@tollgate/contracts/accounts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { findAccountByEmail, lockAccount } from '../accounts/sql-account.ts';
import { endOtherSessions } from '../sessions/sql-session.ts';
import { deleteTotp } from './sql-totp.ts';

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Clock;
}

/**
 * The operator removes the factor of an owner who lost the device and the recovery codes. Ends all sessions of the
 * account. Throws `not_found`.
 */
export function createRemoveTotp({ api, worker, clock }: Deps): (email: string, by: Actor) => Promise<void> {
  return async function removeTotpOf(typed, by) {
    const { data: email } = emailSchema.safeParse(typed);
    const accountId = email === undefined ? undefined : (await findAccountByEmail(worker, email))?.accountId;
    if (accountId === undefined) throw new AppError('not_found', `There is no account with the e-mail ${typed}.`);
    const ended = { accountId, keptSessionId: undefined, endedAt: clock.now(), because: 'operator' } as const;
    await api.transaction(
      async (tx) => {
        await lockAccount(tx, accountId);
        if (!(await deleteTotp(tx, accountId))) throw new AppError('not_found', `${typed} has no second factor.`);
        const detail = { sessions_ended: await endOtherSessions(tx, ended) };
        const object = { kind: 'account', id: accountId };
        await recordAct(tx, by, { action: 'second_factor.removed', accountId, object, detail });
      },
      { accountId },
    );
  };
}
