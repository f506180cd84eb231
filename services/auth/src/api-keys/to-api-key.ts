import type { ApiKey as ApiApiKey } from '@tollgate/contracts/api-keys';
import { toIso } from '@tollgate/kernel/clock';
import type { ApiKey } from './sql-api-key.ts';

export function toApiKey(key: ApiKey): ApiApiKey {
  return {
    id: key.keyId,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: toIso(key.createdAt),
    last_used_at: key.lastUsedAt === undefined ? null : toIso(key.lastUsedAt),
  };
}
