import type { ApiKey as ApiApiKey } from '@tollgate/contracts/accounts/api-keys';
import { keyScopes } from '@tollgate/contracts/routes/route';
import { toIso } from '@tollgate/kernel/clock';
import type { ApiKey } from './sql-api-key.ts';

export function toApiKey(key: ApiKey): ApiApiKey {
  return {
    id: key.keyId,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    can: [...(key.can ?? keyScopes)],
    expires_at: key.expiresAt === undefined ? null : toIso(key.expiresAt),
    created_at: toIso(key.createdAt),
    last_used_at: key.lastUsedAt === undefined ? null : toIso(key.lastUsedAt),
  };
}
