import type { Database, Transaction } from '@tollgate/database/database';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { PresentedFactor } from '../accounts/begin-session.ts';
import { revokeAllApiKeys } from '../accounts/sql-revoke-all-api-keys.ts';
import type { Letters } from '../letters/letters.ts';
import { changeFactor, checkPassword, type Caller, type SecondFactorDeps } from '../second-factor/change-factor.ts';
import { endOtherSessions } from '../sessions/sql-session.ts';
import { endElsewhereOf, markClosed } from './sql-closure.ts';

export interface CloseAccountDeps extends Omit<SecondFactorDeps, 'box' | 'realTime'> {
  readonly letters: Letters | undefined;
}

export type CloseAccount = (
  proof: Caller & PresentedFactor & { readonly password: string },
  by: Actor,
) => Promise<void>;

/**
 * Closes the account of a session, for good. Resolved: it is durable, and this process knows that its credentials have ended.
 * Throws what the password and the second factor throw, and `unauthorized` for a session that has ended.
 */
export function createCloseAccount(deps: CloseAccountDeps): CloseAccount {
  const { api, useSecondFactor, clock, letters, credentialsChanged } = deps;
  return async function closeAccount({ accountId, sessionId, password, ...presented }, by) {
    const { passwordHash } = await checkPassword(deps, accountId, password);
    await changeFactor(api, { accountId, sessionId, passwordHash }, async (tx) => {
      await useSecondFactor(tx, accountId, presented);
      await closeAccountIn(tx, { accountId, atMs: clock.now(), by });
      await letters?.tellOfClosing(tx, accountId);
    });
    await credentialsChanged();
  };
}

interface Closing {
  readonly accountId: string;
  readonly atMs: number;
  readonly by: Actor;
}

/** Ends everything that opens the account, in a transaction that acts for it. False, and nothing changes, if it is closed. */
async function closeAccountIn(tx: Transaction, { accountId, atMs, by }: Closing): Promise<boolean> {
  if (!(await markClosed(tx, accountId, atMs))) return false;
  const ended = { accountId, keptSessionId: undefined, endedAt: atMs, because: 'account_closed' } as const;
  const sessions = await endOtherSessions(tx, ended);
  const keys = await revokeAllApiKeys(tx, accountId, atMs);
  await endElsewhereOf(tx, atMs);
  const detail = { sessions_ended: sessions, api_keys_revoked: keys };
  await recordAct(tx, by, { action: 'account.closed', accountId, object: { kind: 'account', id: accountId }, detail });
  return true;
}

/** After a restore: closes again what was closed since the backup. Returns those that were open. */
export async function closeAgain(
  owner: Database,
  accountIds: readonly string[],
  closing: Omit<Closing, 'accountId'>,
): Promise<string[]> {
  const closed: string[] = [];
  for (const accountId of accountIds) {
    const isClosed = await owner.transaction((tx) => closeAccountIn(tx, { ...closing, accountId }), { accountId });
    if (isClosed) closed.push(accountId);
  }
  return closed;
}
