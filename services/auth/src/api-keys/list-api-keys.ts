import type { Database } from '@tollgate/database/database';
import { countLiveApiKeys, listApiKeys, type ApiKey, type ApiKeyQuery } from './sql-api-key.ts';

export interface ApiKeyPage {
  readonly keys: readonly ApiKey[];
  readonly total: number;
}

export type ListApiKeys = (query: ApiKeyQuery) => Promise<ApiKeyPage>;

/** A page of live keys, newest first, and how many there are in all. */
export function createListApiKeys({ api }: { readonly api: Database }): ListApiKeys {
  return function listApiKeysOf(query) {
    const { accountId } = query;
    return api.transaction(
      async (tx) => ({ keys: await listApiKeys(tx, query), total: await countLiveApiKeys(tx, accountId) }),
      { accountId },
    );
  };
}
