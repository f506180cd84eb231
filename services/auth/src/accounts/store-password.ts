import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Letters } from '../letters/letters.ts';
import { endOtherSessions, type OtherSessionsEnd } from '../sessions/sql-session.ts';
import { revokeAllApiKeys } from './sql-revoke-all-api-keys.ts';
import { updatePassword, type NewHash } from './sql-account.ts';

export type PasswordChange = NewHash &
  Pick<OtherSessionsEnd, 'keptSessionId' | 'because'> & {
    readonly revokesApiKeys: boolean;
    readonly by: Actor;
  };

export interface StorePasswordDeps {
  readonly api: Database;
  /** Undefined: there is no mail. */
  readonly letters: Letters | undefined;
}

/** As `storePasswordIn`, in a transaction of its own. */
export function storePassword({ api, letters }: StorePasswordDeps, change: PasswordChange): Promise<boolean> {
  return api.transaction((tx) => storePasswordIn(tx, letters, change), { accountId: change.accountId });
}

/**
 * Stores the hash, ends the other sessions of the account, and its API keys if asked, and tells the owner by mail. False, and
 * nothing changes, when the stored hash is no longer the expected hash.
 */
export async function storePasswordIn(
  tx: Transaction,
  letters: Letters | undefined,
  change: PasswordChange,
): Promise<boolean> {
  const { accountId, changedAt: endedAt, keptSessionId, because, revokesApiKeys, by } = change;
  if (!(await updatePassword(tx, change))) return false;
  const ended = await endOtherSessions(tx, { accountId, endedAt, keptSessionId, because });
  const revoked = revokesApiKeys ? await revokeAllApiKeys(tx, accountId, endedAt) : 0;
  const detail = { sessions_ended: ended, api_keys_revoked: revoked };
  const object = { kind: 'account', id: accountId };
  await recordAct(tx, by, { action: 'password.changed', accountId, object, detail });
  await letters?.tellOfPassword(tx, accountId);
  return true;
}
