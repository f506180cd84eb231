import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

import type { OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';

type Json = Readonly<Record<string, unknown>>;

/** The parts of an access token, as anybody may read them. */
export interface TokenParts {
  readonly header: Json;
  readonly claims: Json;
}

export interface TrustedKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: Json;
}

/** A signing key that the service trusts: with it a test makes what only the service can, such as an expired token. */
export async function plantTrustedKey(database: OracleDatabase): Promise<TrustedKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = 'planted-by-a-test';
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' };
  await database.query(
    'insert into auth.signing_key (key_id, public_jwk, private_sealed, created_at, retired_at) values ($1, $2, null, now(), now())',
    [keyId, publicJwk],
  );
  return { keyId, privateKey, publicJwk };
}

export function readToken(token: string): TokenParts {
  const [header = '', claims = ''] = token.split('.');
  return { header: decode(header), claims: decode(claims) };
}

/** A token as the service itself would sign it, with other claims. */
export function signTrusted({ keyId, privateKey }: TrustedKey, claims: Json): string {
  return signWith(privateKey, { header: { alg: 'ES256', typ: 'at+jwt', kid: keyId }, claims });
}

/** Tokens that nobody may let in, by what is wrong with them; made from a good one, its owner's. */
export function forgeTokens(token: string, trusted: TrustedKey): Readonly<Record<string, string>> {
  const parts = readToken(token);
  const { header, claims } = parts;
  const [head = '', body = '', signature = ''] = token.split('.');
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const strangerJwk = stranger.publicKey.export({ format: 'jwk' });
  const headers: Json = {
    'of another algorithm': { ...header, alg: 'none' },
    'with a key of its own': { ...header, jwk: strangerJwk },
    'with a key to fetch': { ...header, jku: 'https://example.com/jwks.json' },
    'with a certificate to fetch': { ...header, x5u: 'https://example.com/cert.pem' },
    'with a path for a key id': { ...header, kid: '../../../../dev/null' },
    'with SQL for a key id': { ...header, kid: "x' or '1'='1" },
    'with an unknown key id': { ...header, kid: 'nobody' },
    'with a demand to understand': { ...header, crit: ['exp'] },
    'of another type': { ...header, typ: 'JWT' },
  };
  const wrongClaims: Json = {
    'of another issuer': { ...claims, iss: 'somebody' },
    'for another audience': { ...claims, aud: 'somebody' },
    'for several audiences': { ...claims, aud: [claims['aud'], 'somebody'] },
    'without a subject': { ...claims, sub: undefined },
    'with a subject that is no id': { ...claims, sub: '*' },
    'without a session': { ...claims, sid: undefined },
    'of an unknown session': { ...claims, sid: 'not a session' },
    'without an end': { ...claims, exp: undefined },
    'with an end in words': { ...claims, exp: 'never' },
    'from the future': { ...claims, iat: Number(claims['iat']) + 3_600, exp: Number(claims['exp']) + 7_200 },
  };
  return {
    'signed by a stranger': signWith(stranger.privateKey, parts),
    'without a signature': `${head}.${body}.`,
    'with half a signature': `${head}.${body}.${signature.slice(0, 43)}`,
    'with the signature of nothing': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'with another body': `${head}.${encode({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })}.${signature}`,
    'with two parts': `${head}.${body}`,
    'signed with the public key as a secret': signHmac(
      { header: { ...header, alg: 'HS256' }, claims },
      trusted.publicJwk,
    ),
    ...mapValues(headers, (wrong) => signWith(stranger.privateKey, { header: wrong, claims })),
    ...mapValues(headers, (wrong) => `${encode(wrong)}.${body}.`, 'unsigned, '),
    ...mapValues(wrongClaims, (wrong) => signTrusted(trusted, wrong), 'well signed, '),
  };
}

function mapValues(values: Json, make: (value: Json) => string, prefix = ''): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, make(value as Json)]));
}

function signWith(key: KeyObject, { header, claims }: TokenParts): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function signHmac({ header, claims }: TokenParts, publicJwk: Json): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', JSON.stringify(publicJwk)).update(signed).digest('base64url')}`;
}

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json; // a token of the service's own
}
