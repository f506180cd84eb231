import { AppError } from '@tollgate/kernel/app-error';
import { keyScopes, type KeyScope } from '@tollgate/contracts/routes/route';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { requireFuture } from '@tollgate/runtime/http/requests/require-future';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Transaction } from '@tollgate/database/database';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { lockAccount } from '../accounts/sql-account.ts';
import { isSessionAlive } from '../sessions/sql-session.ts';
import { countLiveApiKeys, insertApiKey, type ApiKey } from './sql-api-key.ts';

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Nobody sees it again: only its hash is stored. */
  readonly key: string;
}

interface ApiKeyWish {
  readonly accountId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly can: readonly KeyScope[] | undefined;
  readonly expiresAt: number | undefined;
}

export type CreateApiKey = (tx: Transaction, request: ApiKeyWish, by: Actor) => Promise<CreatedApiKey>;

/**
 * Runs in the caller's transaction, so that the key and the reply that is kept are stored together. Throws `too_many_keys`,
 * also to racing callers: it counts under a lock on the account. Throws `unauthorized` if the session has ended since the
 * request began: a key has no end, and must not come from a stolen session.
 */
export function createCreateApiKey({ clock, keysMax }: { clock: Clock; keysMax: number }): CreateApiKey {
  return async function createApiKeyFor(tx, { accountId, sessionId, name, can, expiresAt }, by) {
    const createdAt = clock.now();
    requireFuture(expiresAt, createdAt);
    await lockAccount(tx, accountId); // a call that ends the account's sessions takes this lock too
    if (!(await isSessionAlive(tx, sessionId)))
      throw new AppError('unauthorized', 'The session has ended. Sign in again.');
    if ((await countLiveApiKeys(tx, accountId, createdAt)) >= keysMax)
      throw new AppError('too_many_keys', `An account has at most ${keysMax} live API keys. Delete one first.`);
    const key = createApiKey();
    const newKey = {
      keyId: uuidV7(createdAt),
      name,
      ...partsOfApiKey(key),
      createdAt,
      can: can && inOrder(can),
      expiresAt,
    };
    await insertApiKey(tx, { ...newKey, accountId, keyHash: hashApiKey(key) });
    const object = { kind: 'api_key', id: newKey.keyId };
    const detail = {
      ...(newKey.can && { can: newKey.can.join(' ') }),
      ...(expiresAt !== undefined && { expires_at: toIso(expiresAt) }),
    };
    await recordAct(tx, by, { action: 'api_key.created', accountId, object, detail });
    return { apiKey: { ...newKey, lastUsedAt: undefined }, key };
  };
}

/** Each once, as `can` is documented. */
function inOrder(can: readonly KeyScope[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => can.includes(scope));
}
