import { isUuid } from '@tollgate/kernel/uuid';
import { expiredToken, invalidToken } from './token-refusals.ts';

export interface TokenClaims {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface ClaimRules {
  readonly audience: string;
  readonly nowMs: number;
  /** Only a refresh ignores it. */
  readonly expiry: 'enforced' | 'ignored';
}

/** Two machines' clocks may differ by so much. `exp` gets no tolerance. */
const issuedAheadMaxMs = 60_000;

/**
 * Checks the claims of a token whose signature, algorithm, issuer and audience a library has verified (jose, or
 * passport-jwt in auth). Returns them, or throws `unauthorized`. The caller checks whether the session is still alive.
 */
export function judgeClaims(payload: Readonly<Record<string, unknown>>, rules: ClaimRules): TokenClaims {
  const { aud, sub, sid, jti } = payload;
  if (aud !== rules.audience) throw invalidToken('not one audience'); // the libraries accept a list that contains ours
  if (!isId(sub) || !isId(sid) || !isId(jti)) throw invalidToken('an id is missing or malformed');
  return { accountId: sub, sessionId: sid, tokenId: jti, expiresAt: judgeTimes(payload, rules) };
}

/** Checks the times of a token. Returns when it expires, in epoch milliseconds. */
export function judgeTimes(
  { iat, exp, nbf = 0 }: Readonly<Record<string, unknown>>,
  rules: Pick<ClaimRules, 'nowMs' | 'expiry'>,
): number {
  if (!isSeconds(iat) || !isSeconds(exp) || !isSeconds(nbf)) throw invalidToken('a time is missing or malformed');
  if (iat * 1_000 > rules.nowMs + issuedAheadMaxMs) throw invalidToken('issued in the future');
  if (nbf * 1_000 > rules.nowMs) throw invalidToken('not valid yet');
  const expiresAt = exp * 1_000;
  if (rules.expiry === 'enforced' && expiresAt <= rules.nowMs) throw expiredToken(rules.nowMs);
  return expiresAt;
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

const secondsMax = 8.64e12; // JavaScript has no dates beyond it

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= secondsMax;
}
