import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { revokeApiKey } from './sql-api-key.ts';

interface Deps {
  readonly api: Database;
  readonly clock: Clock;
  readonly credentialsChanged: () => Promise<void>;
}

export type RevokeApiKey = (key: { readonly accountId: string; readonly keyId: string }) => Promise<boolean>;

/** False when the account has no such live key. True: the revocation is durable, and this process knows it. */
export function createRevokeApiKey({ api, clock, credentialsChanged }: Deps): RevokeApiKey {
  return async function revokeApiKeyOf({ accountId, keyId }) {
    const revocation = { accountId, keyId, revokedAt: clock.now() };
    const isRevoked = await api.transaction((tx) => revokeApiKey(tx, revocation), { accountId });
    if (isRevoked) await credentialsChanged();
    return isRevoked;
  };
}
