import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { judgeClaims, type ClaimRules, type TokenClaims } from './judge-claims.ts';
import { keyIdOf } from './key-id-of.ts';
import { invalidToken } from './token-refusals.ts';

export interface TokenRules extends ClaimRules {
  readonly issuer: string;
  /** Undefined: there is no such key. Rejects when that cannot be known. */
  keyOf(keyId: string): KeyObject | undefined | Promise<KeyObject | undefined>;
}

/** The claims of an access token of ours. Throws `unauthorized` for a token that is forged, altered, foreign or expired. */
export async function verifyAccessToken(
  token: string,
  rules: TokenRules,
): Promise<TokenClaims & { readonly keyId: string }> {
  const keyId = keyIdOf(token);
  const key = await rules.keyOf(keyId);
  if (!key) throw invalidToken('unknown signing key');
  return { ...judgeClaims(await verifiedPayload(token, key, rules), rules), keyId };
}

/** Checks the signature, the issuer and the audience. jose checks `exp` last and hands the verified payload on. */
async function verifiedPayload(
  token: string,
  key: KeyObject,
  { issuer, audience, nowMs }: TokenRules,
): Promise<JWTPayload> {
  try {
    const currentDate = new Date(nowMs);
    const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'], issuer, audience, currentDate });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return error.payload; // judgeClaims decides whether that matters
    throw invalidToken('wrong signature or claims', error);
  }
}
