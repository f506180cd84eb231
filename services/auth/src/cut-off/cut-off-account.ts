import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { lockAccount } from '../accounts/sql-account.ts';
import { revokeAllApiKeys } from '../accounts/sql-revoke-all-api-keys.ts';
import { endOtherSessions } from '../sessions/sql-session.ts';
import { readSuspendableAccount, resumeAccount, suspendAccount, type SuspendableAccount } from './sql-suspension.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  /** Connects as auth_worker: no account may write its own suspension. */
  readonly worker: Database;
  readonly clock: Clock;
  readonly credentialsChanged: () => Promise<void>;
}

/**
 * What the operator does to the credentials of an account. Resolved: it is durable, and this process knows it. Every
 * method is safe to repeat, and throws `not_found` for an unknown account.
 */
export interface CutOffAccount {
  suspend(accountId: string, reason: string): Promise<SuspendableAccount>;
  resume(accountId: string): Promise<SuspendableAccount>;
  /** Returns how many sessions it ended. */
  endSessions(accountId: string): Promise<number>;
  /** Returns how many keys it revoked. */
  revokeApiKeys(accountId: string): Promise<number>;
}

export function createCutOffAccount({ api, worker, clock, credentialsChanged }: Deps): CutOffAccount {
  async function find(accountId: string): Promise<SuspendableAccount> {
    const account = await readSuspendableAccount(worker, accountId);
    if (account === undefined) throw new AppError('not_found', `There is no account \`${accountId}\`.`);
    return account;
  }

  async function endAll(accountId: string, end: (tx: Transaction) => Promise<number>): Promise<number> {
    await find(accountId);
    const endUnderLock = async (tx: Transaction): Promise<number> => {
      await lockAccount(tx, accountId); // a sign-in or a new key that is not committed yet would be missed
      return end(tx);
    };
    const ended = await api.transaction(endUnderLock, { accountId });
    await credentialsChanged();
    return ended;
  }

  return {
    async suspend(accountId, reason) {
      await suspendAccount(worker, { accountId, reason, suspendedAt: clock.now() });
      await credentialsChanged();
      return find(accountId);
    },
    async resume(accountId) {
      await resumeAccount(worker, accountId, clock.now());
      await credentialsChanged();
      return find(accountId);
    },
    endSessions(accountId) {
      const ended = { accountId, keptSessionId: undefined, endedAt: clock.now(), because: 'operator' } as const;
      return endAll(accountId, (tx) => endOtherSessions(tx, ended));
    },
    revokeApiKeys: (accountId) => endAll(accountId, (tx) => revokeAllApiKeys(tx, accountId, clock.now())),
  };
}
