import { emailSchema } from '@tollgate/contracts/accounts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { findAccountByEmail } from '../accounts/sql-account.ts';
import { endOtherSessions } from '../sessions/sql-session.ts';
import { putOperatorAccount } from './sql-operator-account.ts';

interface Deps {
  /** Connects as auth_worker: no account may make itself the operator's. */
  readonly worker: Database;
  readonly clock: Clock;
}

/** Both end all sessions of the account: nobody keeps a session that began with other rights. Both throw `not_found`. */
export interface ChangeOperatorAccount {
  grant(email: string, by: Actor): Promise<void>;
  revoke(email: string, by: Actor): Promise<void>;
}

export function createChangeOperatorAccount({ worker, clock }: Deps): ChangeOperatorAccount {
  async function change(typed: string, action: 'granted' | 'revoked', by: Actor): Promise<void> {
    const { data: email } = emailSchema.safeParse(typed);
    const accountId = email === undefined ? undefined : (await findAccountByEmail(worker, email))?.accountId;
    if (accountId === undefined) throw new AppError('not_found', `There is no account with the e-mail ${typed}.`);
    const ended = { accountId, keptSessionId: undefined, endedAt: clock.now(), because: 'operator' } as const;
    await worker.transaction(async (tx) => {
      if (!(await putOperatorAccount(tx, accountId, action === 'granted' ? clock.now() : undefined)))
        throw new AppError('not_found', `${typed} is ${action === 'granted' ? 'already' : 'not'} of the operator.`);
      const detail = { sessions_ended: await endOtherSessions(tx, ended) };
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, by, { action: `operator_account.${action}`, accountId, object, detail });
    });
  }
  return {
    grant: (email, by) => change(email, 'granted', by),
    revoke: (email, by) => change(email, 'revoked', by),
  };
}
