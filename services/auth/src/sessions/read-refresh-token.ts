import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { looksLikeApiKey } from '@tollgate/runtime/auth/api-key-format';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import { verifyAccessToken } from '@tollgate/runtime/auth/verify-access-token';
import type { TokenTerms } from './access-token.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import type { PresentedToken } from './refresh-token.ts';

export type ReadRefreshToken = (authorization: string | undefined) => Promise<PresentedToken>;

interface Deps {
  readonly credentials: Credentials;
  readonly keyRing: KeyRing;
  readonly terms: TokenTerms;
  readonly clock: Clock;
}

/** The one place where an expired token is good for something: everything but its expiry is checked as everywhere. */
export function createReadRefreshToken({ credentials, keyRing, terms, clock }: Deps): ReadRefreshToken {
  return async function readRefreshToken(authorization) {
    const token = bearerOf(authorization);
    if (looksLikeApiKey(token)) {
      await credentials.authenticate(authorization);
      throw new AppError('forbidden', 'An API key has no session to refresh.');
    }
    const { issuer, audience } = terms;
    return verifyAccessToken(token, {
      issuer,
      audience,
      nowMs: clock.now(),
      expiry: 'ignored',
      keyOf: keyRing.verifier,
    });
  };
}
