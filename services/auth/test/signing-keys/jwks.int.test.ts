import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

describe('200', () => {
  it('lets anyone verify a token with the published keys alone', async () => {
    const answer = await auth.send<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    expect(answer.status).toBe(200);
    const { token } = await auth.signUp();
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(answer.body), {
      issuer: 'tollgate',
      audience: 'tollgate',
      typ: 'at+jwt',
      algorithms: ['ES256'],
    });
    expect(Object.keys(protectedHeader).toSorted()).toEqual(['alg', 'kid', 'typ']);
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    expect(payload.exp).toBe((payload.iat ?? 0) + 3_600);
  });

  it('may be cached for a while', async () => {
    const { headers } = await auth.send('GET', '/.well-known/jwks.json');
    expect(headers.get('cache-control')).toContain('max-age=300');
  });

  it('publishes no private half, nor stores one in the open', async () => {
    const { text } = await auth.send('GET', '/.well-known/jwks.json');
    expect(text).not.toContain('"d"');
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
