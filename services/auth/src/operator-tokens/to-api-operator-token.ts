import type { ApiOperatorToken } from '@tollgate/contracts/operator/operator-tokens';
import { toIso } from '@tollgate/kernel/clock';
import { isLive } from './change-operator-tokens.ts';
import type { OperatorToken } from './sql-operator-token.ts';

export function toApiOperatorToken(token: OperatorToken, nowMs: number): ApiOperatorToken {
  const { name, createdAt, expiresAt, revokedAt } = token;
  const dead = revokedAt === undefined ? 'expired' : 'revoked';
  return {
    name,
    state: isLive(token, nowMs) ? 'live' : dead,
    created_at: toIsoOrNull(createdAt),
    expires_at: toIsoOrNull(expiresAt),
    revoked_at: toIsoOrNull(revokedAt),
  };
}

function toIsoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toIso(ms);
}
