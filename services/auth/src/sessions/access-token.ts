import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { decodeJwt, SignJWT } from 'jose';
import { signingAlgorithm, type SigningKey } from '../signing-keys/signing-key.ts';

export interface IssuedToken {
  readonly accessToken: string;
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The answer to register, login and refresh. */
export interface TokenAnswer {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface TokenTerms {
  readonly issuer: string;
  readonly audience: string;
  readonly ttlSeconds: number;
}

export interface TokenWish {
  readonly accountId: string;
  readonly sessionId: string;
  /** The end of the session: the token expires by then. */
  readonly endsAt: number;
}

export type IssueToken = (wish: TokenWish) => Promise<IssuedToken>;

interface Deps {
  readonly currentSigningKey: () => SigningKey;
  readonly clock: Clock;
}

export function createIssueToken(terms: TokenTerms, { currentSigningKey, clock }: Deps): IssueToken {
  return async function issueToken({ accountId, sessionId, endsAt }) {
    const now = clock.now();
    const issuedAtSeconds = Math.floor(now / 1_000);
    const expiresAtSeconds = Math.min(issuedAtSeconds + terms.ttlSeconds, endsAt / 1_000);
    const tokenId = uuidV7(now);
    const key = currentSigningKey();
    const accessToken = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid: key.keyId })
      .setIssuer(terms.issuer)
      .setAudience(terms.audience)
      .setSubject(accountId)
      .setJti(tokenId)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(expiresAtSeconds)
      .sign(key.privateKey);
    return { accessToken, tokenId, issuedAt: now, expiresAt: expiresAtSeconds * 1_000 };
  };
}

/** The answer for a token that we issued, perhaps earlier. `expires_in` counts from now. */
export function toTokenAnswer(accessToken: string, nowMs: number): TokenAnswer {
  const expiresAtSeconds = decodeJwt(accessToken).exp ?? 0;
  return { accessToken, expiresInSeconds: Math.max(0, expiresAtSeconds - Math.floor(nowMs / 1_000)) };
}
