import { invalidToken } from './token-refusals.ts';

const lengthMax = 4_096;

/**
 * The signing key that a token names. It runs before the signature is verified, so that the library that does this sees
 * only tokens in the form that our issuer writes. Throws `unauthorized` for every other form.
 */
export function keyIdOf(token: string): string {
  const parts = token.split('.');
  if (token.length > lengthMax || parts.length !== 3 || !parts.every(isCanonicalBase64Url)) {
    throw invalidToken('not a compact JWS');
  }
  const header = parseObject(Buffer.from(parts[0] ?? '', 'base64url').toString('utf8'));
  if (!isOurHeader(header)) throw invalidToken('not a header of ours');
  return header['kid'];
}

/**
 * Lenient decoders accept several texts for the same bytes. We accept the canonical text alone, so that a token has one
 * spelling.
 */
function isCanonicalBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

/** Exactly three members: none may name another key (jwk, jku, x5u, x5c) or demand an extension (crit). */
function isOurHeader(header: JsonObject): header is { alg: 'ES256'; typ: 'at+jwt'; kid: string } {
  const { alg, typ, kid } = header;
  const isOurs = alg === 'ES256' && typ === 'at+jwt' && typeof kid === 'string' && /^[\w-]{1,64}$/.test(kid);
  return isOurs && Object.keys(header).length === 3;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Anything but an object becomes an empty object, which lacks every member of our header. */
function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {}; // members stay unknown
  } catch {
    return {};
  }
}
