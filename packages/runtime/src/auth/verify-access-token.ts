import type { KeyObject } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import { isUuid } from '@tollgate/kernel/uuid';
import { errors, jwtVerify, type JWTPayload } from 'jose';

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
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/**
 * What an access token says, if we said it. Throws `unauthenticated` for anything forged, altered, foreign or expired.
 * Whether its session still lives is the caller's question.
 */
export async function verifyAccessToken(token: string, rules: TokenRules): Promise<AccessToken> {
  const kid = keyIdOf(token);
  const key = await rules.keyOf(kid);
  if (!key) throw invalidToken('unknown signing key');
  const claims = claimsOf(await verifiedPayload(token, key, rules), rules);
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

/**
 * Checks signature, issuer, audience and, by the service's own clock, `nbf` and `exp`. jose looks at `exp` last, so a token
 * that is expired is good in all else that jose checks. Our issuer writes no `nbf`.
 */
async function verifiedPayload(token: string, key: KeyObject, rules: TokenRules): Promise<JWTPayload> {
  const { issuer, audience, nowMs, expiry } = rules;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      issuer,
      audience,
      currentDate: new Date(nowMs),
    });
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JWTExpired)) throw invalidToken('wrong signature or claims', error);
    if (expiry === 'ignored') return error.payload;
    throw expiredToken();
  }
}

/** Checks what jose does not: one audience and no list of them, the forms of ids and times, a token from the future. */
function claimsOf({ aud, sub, sid, jti, iat, exp }: JWTPayload, { nowMs }: TokenRules): Claims {
  if (typeof aud !== 'string') throw invalidToken('not one audience');
  if (!isId(sub) || !isId(sid) || !isId(jti)) throw invalidToken('an id is missing or malformed');
  if (!isSeconds(iat) || !isSeconds(exp)) throw invalidToken('a time is missing or malformed');
  if (iat * 1_000 > nowMs + issuedAheadMaxMs) throw invalidToken('issued in the future');
  return { sub, sid, jti, iat, exp };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

const secondsMax = 8.64e12; // beyond it JavaScript has no dates

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= secondsMax;
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
