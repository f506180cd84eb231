import { looksLikeApiKey } from '@tollgate/runtime/auth/api-key-format';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { VerifyToken } from './verify-token.ts';

interface Deps {
  readonly credentials: Pick<Credentials, 'authenticate' | 'isCandidate' | 'sessionOfClaims'>;
  readonly verifyToken: VerifyToken;
}

/** Access tokens go through passport-jwt. Runtime's credentials know API keys and the operator's tokens by heart. */
export function createAuthenticate({ credentials, verifyToken }: Deps): Credentials['authenticate'] {
  return function authenticate(authorization) {
    const token = bearerOf(authorization);
    if (looksLikeApiKey(token) || credentials.isCandidate(token)) return credentials.authenticate(authorization);
    return verifyToken(authorization).then(credentials.sessionOfClaims);
  };
}
