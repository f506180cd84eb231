import { generateKeyPairSync } from 'node:crypto';
import { eventually } from '@tollgate/testkit/eventually';
import { forgeTokens, signToken, type RealKey } from '@tollgate/testkit/forged-tokens';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { Product } from '../open-product.ts';
import type { Owner } from './owner.ts';

export const expiredToken = 'an expired token';

/** Authorization headers that no route may accept, each under a name. */
export async function makeRefusedCredentials(
  product: Product,
  { victim, stranger }: Readonly<Record<'victim' | 'stranger', Owner>>,
): Promise<Record<string, string>> {
  const key = await plantKey(product);
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.keyId };
  const claims = claimsOf(victim.token);
  const iat = Number(claims['iat']);
  const genuine = signToken(key, header, claims);
  await eventually(async () => (await product.client('GET', '/v1/auth/me', { token: genuine })).status === 200, {
    withinMs: 5_000,
  });
  const forged = forgeTokens(key, genuine).filter(({ title }) => !title.includes('two minutes ahead')); // valid soon
  const tokens: Record<string, string> = {
    ...Object.fromEntries(forged.map(({ title, token }) => [title, token])),
    'a token from the future': signToken(key, header, { ...claims, iat: iat + 3_600, exp: iat + 7_200 }),
    [expiredToken]: signToken(key, header, { ...claims, iat: iat - 7_200, exp: iat - 1 }),
    'a revoked key': await makeRevokedKey(product.client, stranger.token),
    'an unknown key': 'tg_live_0123456789ABCDEFabcdef0123456789ABCDEF',
    'a key without its end': victim.key.slice(0, -1),
    nothing: '',
  };
  const bearers = Object.entries(tokens).map(([name, token]) => [name, `Bearer ${token}`] as const);
  const basic = Buffer.from(`${victim.email}:${victim.password}`).toString('base64');
  const bearer = `Bearer ${victim.token}`;
  const headers = [`Basic ${basic}`, `Basic ${victim.token}`, victim.token, `${bearer} x`, `x ${bearer}`];
  const others = [...headers, 'Bearer', `${bearer},${bearer}`].map(
    (header) => [`the header ${header}`, header] as const,
  );
  return Object.fromEntries([...bearers, ...others]);
}

/** Adds a signing key that the service trusts. With it a test signs tokens that only the service could, such as expired ones. */
async function plantKey({ dataDir }: Product): Promise<RealKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = 'planted-by-a-test';
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' };
  const insert =
    'insert into auth.signing_key (key_id, public_jwk, private_sealed, created_at, retired_at) values ($1, $2, null, now(), now())';
  await withOracleDatabase(ownerUrlOf(dataDir), (database) => database.query(insert, [keyId, publicJwk]));
  return { keyId, privateKey, publicKey };
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>; // the service's own
}

async function makeRevokedKey(client: HttpClient, token: string): Promise<string> {
  const { body } = await client<{ id: string; key: string }>('POST', '/v1/api-keys', { token, body: { name: 'gone' } });
  await client('DELETE', `/v1/api-keys/${body.id}`, { token });
  const isRefused = async () => (await client('GET', '/v1/usage', { token: body.key })).status === 401;
  await eventually(isRefused, { withinMs: 1_500 });
  return body.key;
}
