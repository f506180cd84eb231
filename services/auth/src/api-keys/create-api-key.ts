import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Transaction } from '@tollgate/database/database';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { lockAccount } from '../accounts/sql-account.ts';
import { countLiveApiKeys, insertApiKey, type ApiKey } from './sql-api-key.ts';

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Nobody sees it again: only its hash is stored. */
  readonly key: string;
}

export type CreateApiKey = (
  tx: Transaction,
  request: { readonly accountId: string; readonly name: string },
) => Promise<CreatedApiKey>;

/**
 * Runs in the caller's transaction, so that the key and the reply that is kept are stored together. Throws `too_many_keys`,
 * also to racing callers: it counts under a lock on the account.
 */
export function createCreateApiKey({ clock, keysMax }: { clock: Clock; keysMax: number }): CreateApiKey {
  return async function createApiKeyFor(tx, { accountId, name }) {
    await lockAccount(tx, accountId);
    if ((await countLiveApiKeys(tx, accountId)) >= keysMax)
      throw new AppError('too_many_keys', `An account has at most ${keysMax} live API keys. Delete one first.`);
    const key = createApiKey();
    const createdAt = clock.now();
    const newKey = { keyId: uuidV7(createdAt), name, ...partsOfApiKey(key), createdAt };
    await insertApiKey(tx, { ...newKey, accountId, keyHash: hashApiKey(key) });
    return { apiKey: { ...newKey, lastUsedAt: undefined }, key };
  };
}
