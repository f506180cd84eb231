import type { KeyObject } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import { isUuid } from '@tollgate/kernel/event-id';
import { compactVerify } from 'jose';
import { z } from 'zod';

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

/** Exactly the header that our issuer writes: nothing that names another key (jwk, jku, x5u, x5c) or asks for more (crit). */
const headerSchema = z.strictObject({
  alg: z.literal('ES256'),
  typ: z.literal('at+jwt'),
  kid: z.string().regex(/^[\w-]{1,64}$/),
});

const uuid = z.string().refine(isUuid);
const seconds = z.int().min(0).max(8.64e12); // beyond it JavaScript has no dates
const claimsSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: uuid,
  sid: uuid,
  jti: uuid,
  iat: seconds,
  exp: seconds,
  nbf: seconds.optional(),
});

/**
 * What an access token says, if we said it. Throws `unauthenticated` for anything forged, altered, foreign or expired.
 * Whether its session still lives is the caller's question.
 */
export async function verifyAccessToken(token: string, rules: TokenRules): Promise<AccessToken> {
  const { kid } = headerOf(token);
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

function headerOf(token: string): z.output<typeof headerSchema> {
  const parts = token.split('.');
  if (token.length > lengthMax || parts.length !== 3 || !parts.every(isCanonicalBase64Url))
    throw invalidToken('not a compact JWS');
  const header = headerSchema.safeParse(parseJson(Buffer.from(parts[0] ?? '', 'base64url').toString('utf8')));
  if (!header.success) throw invalidToken('not a header of ours');
  return header.data;
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

function claimsOf(payload: string): z.output<typeof claimsSchema> {
  const claims = claimsSchema.safeParse(parseJson(payload));
  if (!claims.success) throw invalidToken('claims are missing or of the wrong type');
  return claims.data;
}

function checkClaims(claims: z.output<typeof claimsSchema>, rules: TokenRules): void {
  if (claims.iss !== rules.issuer || claims.aud !== rules.audience) throw invalidToken('another issuer or audience');
  const latest = (rules.nowMs + issuedAheadMaxMs) / 1_000;
  if (claims.iat > latest || (claims.nbf ?? 0) > latest) throw invalidToken('issued in the future');
  if (rules.expiry === 'enforced' && claims.exp * 1_000 <= rules.nowMs) throw expiredToken();
}

export function expiredToken(): AppError {
  return new AppError('unauthenticated', 'unauthorized', 'The access token has expired; refresh it or sign in again.');
}

/** The same words whatever is wrong: a forger learns nothing from the answer, the log has the reason. */
export function invalidToken(reason: string, cause?: unknown): AppError {
  return new AppError('unauthenticated', 'unauthorized', 'The credential is not valid.', { detail: reason, cause });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
