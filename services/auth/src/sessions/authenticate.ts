import { looksLikeApiKey } from '@tollgate/runtime/auth/api-key-format';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { VerifyToken } from './verify-token.ts';

interface Deps {
  readonly credentials: Pick<Credentials, 'authenticate' | 'sessionOfClaims'>;
  readonly verifyToken: VerifyToken;
}

/** Access tokens go through passport-jwt. API keys have no signature to verify: runtime's credentials know them. */
export function createAuthenticate({ credentials, verifyToken }: Deps): Credentials['authenticate'] {
  return function authenticate(authorization) {
    if (looksLikeApiKey(bearerOf(authorization))) return credentials.authenticate(authorization);
    return verifyToken(authorization).then(credentials.sessionOfClaims);
  };
}
