import type { KeyObject } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import { isUuid } from '@tollgate/kernel/uuid';
import { compactVerify } from 'jose';

export interface AccessToken {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenId: string;
  /** The signing key. */
  readonly keyId: string;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly nowMs: number;
  /** Ignored at refresh alone. */
  readonly expiry: 'enforced' | 'ignored';
  /** Undefined: no such key. Rejects when that cannot be known. */
  keyOf(keyId: string): KeyObject | undefined | Promise<KeyObject | undefined>;
}

const lengthMax = 4_096;
const issuedAheadMaxMs = 60_000; // clocks of two machines differ; none on `exp`

interface Claims {
  readonly iss: unknown;
  readonly aud: unknown;
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly nbf: number;
}

/**
 * What an access token says, if we said it. Throws `unauthenticated` for anything forged, altered, foreign or expired.
 * Whether its session still lives is the caller's question.
 */
export async function verifyAccessToken(token: string, rules: TokenRules): Promise<AccessToken> {
  const kid = keyIdOf(token);
  const key = await rules.keyOf(kid);
  if (!key) throw invalidToken('unknown signing key');
  const claims = claimsOf(await verifiedPayload(token, key));
  checkClaims(claims, rules);
  return {
    accountId: claims.sub,
    sessionId: claims.sid,
    tokenId: claims.jti,
    keyId: kid,
    issuedAt: claims.iat * 1_000,
    expiresAt: claims.exp * 1_000,
  };
}

function keyIdOf(token: string): string {
  const parts = token.split('.');
  if (token.length > lengthMax || parts.length !== 3 || !parts.every(isCanonicalBase64Url)) {
    throw invalidToken('not a compact JWS');
  }
  const header = parseObject(Buffer.from(parts[0] ?? '', 'base64url').toString('utf8'));
  if (!isOurHeader(header)) throw invalidToken('not a header of ours');
  return header['kid'];
}

/** Exactly what our issuer writes: nothing that names another key (jwk, jku, x5u, x5c) or asks for more (crit). */
function isOurHeader(header: JsonObject): header is { alg: 'ES256'; typ: 'at+jwt'; kid: string } {
  const { alg, typ, kid } = header;
  const isOurs = alg === 'ES256' && typ === 'at+jwt' && typeof kid === 'string' && /^[\w-]{1,64}$/.test(kid);
  return isOurs && Object.keys(header).length === 3;
}

/** One token, one spelling: lenient decoders take several texts for the same bytes. */
function isCanonicalBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

async function verifiedPayload(token: string, key: KeyObject): Promise<string> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['ES256'] });
    return new TextDecoder().decode(payload);
  } catch (error) {
    throw invalidToken('wrong signature', error);
  }
}

function claimsOf(payload: string): Claims {
  const claims = parseObject(payload);
  const { iss, aud, sub, sid, jti, iat, exp, nbf = 0 } = claims;
  if (!isId(sub) || !isId(sid) || !isId(jti)) throw invalidToken('an id is missing or malformed');
  if (!isSeconds(iat) || !isSeconds(exp) || !isSeconds(nbf)) throw invalidToken('a time is missing or malformed');
  return { iss, aud, sub, sid, jti, iat, exp, nbf };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

const secondsMax = 8.64e12; // beyond it JavaScript has no dates

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= secondsMax;
}

function checkClaims(claims: Claims, rules: TokenRules): void {
  if (claims.iss !== rules.issuer || claims.aud !== rules.audience) throw invalidToken('another issuer or audience');
  const latest = (rules.nowMs + issuedAheadMaxMs) / 1_000;
  if (claims.iat > latest || claims.nbf > latest) throw invalidToken('issued in the future');
  if (rules.expiry === 'enforced' && claims.exp * 1_000 <= rules.nowMs) throw expiredToken();
}

export function expiredToken(): AppError {
  return new AppError('unauthorized', 'The access token has expired; refresh it or sign in again.');
}

/** The same words whatever is wrong: a forger learns nothing from the answer, the log has the reason. */
export function invalidToken(reason: string, cause?: unknown): AppError {
  return new AppError('unauthorized', 'The credential is not valid.', { detail: reason, cause });
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Empty for anything but an object: then nothing that is asked of it is there. */
function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {}; // an object is all that was asked
  } catch {
    return {};
  }
}
