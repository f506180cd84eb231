import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import { endOtherSessions, type OtherSessionsEnd } from '../sessions/sql-session.ts';
import { revokeAllApiKeys } from './sql-revoke-all-api-keys.ts';
import { updatePassword, type NewHash } from './sql-account.ts';

export type PasswordChange = NewHash &
  Pick<OtherSessionsEnd, 'keptSessionId' | 'because'> & {
    readonly revokesApiKeys: boolean;
    readonly by: Actor;
  };

/**
 * Stores the hash, ends the other sessions of the account, and its API keys if asked, in one transaction. False, and nothing changes, when the
 * stored hash is no longer the expected hash.
 */
export function storePassword(api: Database, change: PasswordChange): Promise<boolean> {
  const { accountId, changedAt: endedAt, keptSessionId, because, revokesApiKeys, by } = change;
  return api.transaction(
    async (tx) => {
      if (!(await updatePassword(tx, change))) return false;
      const ended = await endOtherSessions(tx, { accountId, endedAt, keptSessionId, because });
      const revoked = revokesApiKeys ? await revokeAllApiKeys(tx, accountId, endedAt) : 0;
      const detail = { sessions_ended: ended, api_keys_revoked: revoked };
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, by, { action: 'password.changed', accountId, object, detail });
      return true;
    },
    { accountId },
  );
}
