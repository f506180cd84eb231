import type { AccessToken, Account as ApiAccount } from '@tollgate/contracts/accounts';
import type { ApiKey as ApiApiKey } from '@tollgate/contracts/api-keys';
import { toIso } from '@tollgate/kernel/clock';
import type { TokenAnswer } from '../sessions/access-token.ts';
import type { Account, ApiKey } from '../ports.ts';

export function toApiToken({ accessToken, expiresInSeconds }: TokenAnswer): AccessToken {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds };
}

export function toApiAccount({ accountId, email, createdAt }: Account): ApiAccount {
  return { account_id: accountId, email, created_at: toIso(createdAt) };
}

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
