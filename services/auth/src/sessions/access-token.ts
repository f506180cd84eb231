import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { decodeJwt, SignJWT } from 'jose';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import { signingAlgorithm } from '../signing-keys/signing-key.ts';

export interface IssuedToken {
  readonly accessToken: string;
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** What register, login and refresh answer with. */
export interface TokenAnswer {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface TokenTerms {
  readonly issuer: string;
  readonly audience: string;
  readonly ttlSeconds: number;
}

export type IssueToken = (bearer: { readonly accountId: string; readonly sessionId: string }) => Promise<IssuedToken>;

export function createIssueToken(
  terms: TokenTerms,
  { keyRing, clock }: { keyRing: KeyRing; clock: Clock },
): IssueToken {
  return async function issueToken({ accountId, sessionId }) {
    const now = clock.now();
    const issuedAtSeconds = Math.floor(now / 1_000);
    const tokenId = uuidV7(now);
    const key = keyRing.current();
    const accessToken = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid: key.keyId })
      .setIssuer(terms.issuer)
      .setAudience(terms.audience)
      .setSubject(accountId)
      .setJti(tokenId)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + terms.ttlSeconds)
      .sign(key.privateKey);
    return { accessToken, tokenId, issuedAt: now, expiresAt: (issuedAtSeconds + terms.ttlSeconds) * 1_000 };
  };
}

/** For a token of our own that was issued before; `expires_in` counts from now. */
export function toTokenAnswer(accessToken: string, nowMs: number): TokenAnswer {
  const expiresAtSeconds = decodeJwt(accessToken).exp ?? 0;
  return { accessToken, expiresInSeconds: Math.max(0, expiresAtSeconds - Math.floor(nowMs / 1_000)) };
}
