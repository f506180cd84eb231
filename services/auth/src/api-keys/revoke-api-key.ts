import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import { revokeApiKey } from './sql-api-key.ts';

interface Deps {
  readonly api: Database;
  readonly clock: Clock;
  readonly credentialsChanged: () => Promise<void>;
}

export type RevokeApiKey = (key: { readonly accountId: string; readonly keyId: string }, by: Actor) => Promise<boolean>;

/** False when the account has no such live key. True: the revocation is durable, and this process knows it. */
export function createRevokeApiKey({ api, clock, credentialsChanged }: Deps): RevokeApiKey {
  return async function revokeApiKeyOf({ accountId, keyId }, by) {
    const revocation = { accountId, keyId, revokedAt: clock.now() };
    const act = { action: 'api_key.revoked', accountId, object: { kind: 'api_key', id: keyId } } as const;
    const isRevoked = await api.transaction(
      async (tx) => {
        if (!(await revokeApiKey(tx, revocation))) return false;
        await recordAct(tx, by, act);
        return true;
      },
      { accountId },
    );
    if (isRevoked) await credentialsChanged();
    return isRevoked;
  };
}
