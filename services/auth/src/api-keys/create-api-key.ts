import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import type { Transaction } from '@tollgate/database/database';
import type { ApiKey, ApiKeyStore } from '../ports.ts';

const liveKeysMax = 20;

/** The one time that the key itself is seen; only its hash is stored. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

export type CreateApiKey = (
  tx: Transaction,
  request: { readonly accountId: string; readonly name: string },
) => Promise<CreatedApiKey>;

/** Part of the caller's transaction, so that the key and the kept reply are there together. Throws `unprocessable` too_many_keys. */
export function createCreateApiKey({ apiKeys, clock }: { apiKeys: ApiKeyStore; clock: Clock }): CreateApiKey {
  return async function createApiKeyFor(tx, { accountId, name }) {
    const key = createApiKey();
    const createdAt = clock.now();
    const apiKey: ApiKey = { keyId: uuidV7(createdAt), name, ...partsOfApiKey(key), createdAt, lastUsedAt: undefined };
    const isCreated = await apiKeys.create(tx, { ...apiKey, accountId, keyHash: hashApiKey(key) }, liveKeysMax);
    if (!isCreated)
      throw new AppError('too_many_keys', `An account has at most ${liveKeysMax} live API keys. Delete one first.`);
    return { apiKey, key };
  };
}
