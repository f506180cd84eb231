import type { Database } from '@tollgate/database/database';
import type { ApiKeyStore } from '../ports.ts';
import { countLiveApiKeys } from './sql-count-live-api-keys.ts';
import { insertApiKey } from './sql-insert-api-key.ts';
import { listApiKeys } from './sql-list-api-keys.ts';
import { lockAccount } from '../accounts/sql-lock-account.ts';
import { revokeApiKey } from './sql-revoke-api-key.ts';

/** Works as auth_api, under the account's row-level policies. */
export function createPgApiKeyStore(api: Database): ApiKeyStore {
  return {
    async create(tx, key, liveMax) {
      await lockAccount(tx, key.accountId);
      if ((await countLiveApiKeys(tx, key.accountId)) >= liveMax) return false;
      await insertApiKey(tx, key);
      return true;
    },
    list: (query) =>
      api.transaction(
        async (tx) => ({ keys: await listApiKeys(tx, query), total: await countLiveApiKeys(tx, query.accountId) }),
        { accountId: query.accountId },
      ),
    revoke: (key) => api.transaction((tx) => revokeApiKey(tx, key), { accountId: key.accountId }),
  };
}
