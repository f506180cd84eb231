import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { looksLikeApiKey } from '@tollgate/runtime/auth/api-key-format';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import { judgeClaims } from '@tollgate/runtime/auth/judge-claims';
import type { TokenTerms } from './access-token.ts';
import type { PresentedToken } from './refresh-token.ts';
import type { VerifyToken } from './verify-token.ts';

export type ReadRefreshToken = (authorization: string | undefined) => Promise<PresentedToken>;

interface Deps {
  readonly credentials: Pick<Credentials, 'authenticate' | 'refuseSuspended'>;
  readonly verifyToken: VerifyToken;
  readonly terms: TokenTerms;
  readonly clock: Clock;
}

/** Only a refresh accepts an expired token. Every other rule holds for that token as it does everywhere. */
export function createReadRefreshToken({ credentials, verifyToken, terms, clock }: Deps): ReadRefreshToken {
  return async function readRefreshToken(authorization) {
    if (looksLikeApiKey(bearerOf(authorization))) {
      await credentials.authenticate(authorization);
      throw new AppError('forbidden', 'An API key has no session to refresh.');
    }
    const payload = await verifyToken(authorization);
    const claims = judgeClaims(payload, { audience: terms.audience, nowMs: clock.now(), expiry: 'ignored' });
    credentials.refuseSuspended(claims.accountId);
    return claims;
  };
}
