import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { countLiveApiKeys, listApiKeys, type ApiKey, type ApiKeyQuery } from './sql-api-key.ts';

export interface ApiKeyPage {
  readonly keys: readonly ApiKey[];
  readonly total: number;
}

export type ListApiKeys = (query: Omit<ApiKeyQuery, 'nowMs'>) => Promise<ApiKeyPage>;

/** A page of live keys, newest first, and how many there are in all. */
export function createListApiKeys({ api, clock }: { readonly api: Database; readonly clock: Clock }): ListApiKeys {
  return function listApiKeysOf(query) {
    const { accountId } = query;
    const nowMs = clock.now();
    return api.transaction(
      async (tx) => ({
        keys: await listApiKeys(tx, { ...query, nowMs }),
        total: await countLiveApiKeys(tx, accountId, nowMs),
      }),
      { accountId },
    );
  };
}
