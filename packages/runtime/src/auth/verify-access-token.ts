import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { judgeClaims, type ClaimRules, type TokenClaims } from './judge-claims.ts';
import { keyIdOf } from './key-id-of.ts';
import { invalidToken } from './token-refusals.ts';

/** The issuer of the tokens, and its keys. */
export interface SignatureRules {
  readonly issuer: string;
  /** Left out: the caller checks it. */
  readonly audience?: string;
  readonly nowMs: number;
  /** Undefined: there is no such key. Rejects when that cannot be known. */
  keyOf(keyId: string): KeyObject | undefined | Promise<KeyObject | undefined>;
}

export type TokenRules = ClaimRules & SignatureRules;

/** The claims of an access token of ours. Throws `unauthorized` for a token that is forged, altered, foreign or expired. */
export async function verifyAccessToken(
  token: string,
  rules: TokenRules,
): Promise<TokenClaims & { readonly keyId: string }> {
  const { keyId, payload } = await verifySignature(token, rules);
  return { ...judgeClaims(payload, rules), keyId };
}

/**
 * Checks the form, the signature, the issuer and the audience. An expired token comes through: jose checks `exp` last and
 * hands the verified payload on. Throws `unauthorized`.
 */
export async function verifySignature(
  token: string,
  { issuer, audience, nowMs, keyOf }: SignatureRules,
): Promise<{ readonly keyId: string; readonly payload: JWTPayload }> {
  const keyId = keyIdOf(token);
  const key = await keyOf(keyId);
  if (!key) throw invalidToken('unknown signing key');
  try {
    const rules = { algorithms: ['ES256'], issuer, currentDate: new Date(nowMs), ...(audience && { audience }) };
    const { payload } = await jwtVerify(token, key, rules);
    return { keyId, payload };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { keyId, payload: error.payload };
    throw invalidToken('wrong signature or claims', error);
  }
}
