import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { authSuite } from '../support/auth-under-test.ts';

const auth = authSuite();
const readKeySet = () => auth.send<JSONWebKeySet>('GET', '/.well-known/jwks.json');

describe('200', () => {
  it('lets anyone verify a token with the published keys alone, which may be cached for a while', async () => {
    const { status, body, headers } = await readKeySet();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('max-age=300');
    const { token } = await auth.signUp();
    const terms = { issuer: 'tollgate', audience: 'tollgate', typ: 'at+jwt', algorithms: ['ES256'] };
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(body), terms);
    expect(Object.keys(protectedHeader).toSorted()).toEqual(['alg', 'kid', 'typ']);
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    expect(payload.exp).toBe((payload.iat ?? 0) + 3_600);
  });

  it('publishes no private half, and the database holds none in the open', async () => {
    expect((await readKeySet()).text).not.toContain('"d"');
    const rows = await auth.owner.query<{ public_jwk: object; private_sealed: Buffer }>(
      'select public_jwk, private_sealed from auth.signing_key',
    );
    expect(rows).toHaveLength(1);
    for (const row of rows) {
      expect(row.public_jwk).not.toHaveProperty('d');
      expect(row.private_sealed.includes('PRIVATE')).toBe(false);
    }
  });
});
