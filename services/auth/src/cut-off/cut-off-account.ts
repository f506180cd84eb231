import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
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
 * The operator's acts on the credentials of an account. Resolved: it is durable, and this process knows it. Every
 * method is safe to repeat, and throws `not_found` for an unknown account.
 */
export interface CutOffAccount {
  suspend(target: { readonly accountId: string; readonly reason: string }, by: Actor): Promise<SuspendableAccount>;
  resume(accountId: string, by: Actor): Promise<SuspendableAccount>;
  /** Returns how many sessions it ended. */
  endSessions(accountId: string, by: Actor): Promise<number>;
  /** Returns how many keys it revoked. */
  revokeApiKeys(accountId: string, by: Actor): Promise<number>;
}

export function createCutOffAccount({ api, worker, clock, credentialsChanged }: Deps): CutOffAccount {
  async function find(accountId: string): Promise<SuspendableAccount> {
    const account = await readSuspendableAccount(worker, accountId);
    if (account === undefined) throw new AppError('not_found', `There is no account \`${accountId}\`.`);
    return account;
  }

  async function endAll(act: Ending, by: Actor, end: (tx: Transaction) => Promise<number>): Promise<number> {
    const { action, accountId } = act;
    await find(accountId);
    const endUnderLock = async (tx: Transaction): Promise<number> => {
      await lockAccount(tx, accountId); // a sign-in or a new key that is not committed yet would be missed
      const ended = await end(tx);
      await recordAct(tx, by, { action, accountId, object: { kind: 'account', id: accountId }, detail: { ended } });
      return ended;
    };
    const ended = await api.transaction(endUnderLock, { accountId });
    await credentialsChanged();
    return ended;
  }

  /** Records the act only where the account exists and something has changed. */
  async function change({ action, accountId }: Change, by: Actor, apply: (tx: Transaction) => Promise<boolean>) {
    await worker.transaction(async (tx) => {
      const isChanged = await apply(tx);
      if (isChanged) await recordAct(tx, by, { action, accountId, object: { kind: 'account', id: accountId } });
    });
    await credentialsChanged();
    return find(accountId);
  }

  return {
    suspend({ accountId, reason }, by) {
      const suspension = { accountId, reason, suspendedAt: clock.now() };
      return change({ action: 'account.suspended', accountId }, by, (tx) => suspendAccount(tx, suspension));
    },
    resume: (accountId, by) =>
      change({ action: 'account.resumed', accountId }, by, (tx) => resumeAccount(tx, accountId, clock.now())),
    endSessions(accountId, by) {
      const ended = { accountId, keptSessionId: undefined, endedAt: clock.now(), because: 'operator' } as const;
      return endAll({ action: 'session.ended', accountId }, by, (tx) => endOtherSessions(tx, ended));
    },
    revokeApiKeys: (accountId, by) =>
      endAll({ action: 'api_key.revoked', accountId }, by, (tx) => revokeAllApiKeys(tx, accountId, clock.now())),
  };
}

interface Change {
  readonly action: 'account.suspended' | 'account.resumed';
  readonly accountId: string;
}

interface Ending {
  readonly action: 'session.ended' | 'api_key.revoked';
  readonly accountId: string;
}
