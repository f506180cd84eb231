import type { Database } from '@tollgate/database/database';
import { endOtherSessions, type OtherSessionsEnd } from '../sessions/sql-session.ts';
import { revokeAllApiKeys } from './sql-revoke-all-api-keys.ts';
import { updatePassword, type NewHash } from './sql-account.ts';

export type PasswordChange = NewHash &
  Pick<OtherSessionsEnd, 'keptSessionId' | 'because'> & { readonly revokesApiKeys: boolean };

/**
 * Stores the hash, ends the other sessions of the account, and its API keys if asked, in one transaction. False, and nothing changes, when the
 * stored hash is no longer the expected hash.
 */
export function storePassword(api: Database, change: PasswordChange): Promise<boolean> {
  const { accountId, changedAt: endedAt, keptSessionId, because, revokesApiKeys } = change;
  return api.transaction(
    async (tx) => {
      if (!(await updatePassword(tx, change))) return false;
      await endOtherSessions(tx, { accountId, endedAt, keptSessionId, because });
      if (revokesApiKeys) await revokeAllApiKeys(tx, accountId, endedAt);
      return true;
    },
    { accountId },
  );
}
