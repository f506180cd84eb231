import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { signToken } from '@tollgate/testkit/forged-tokens';
import { verifyAccessToken, type TokenRules } from './verify-access-token.ts';

const key = { keyId: 'k', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const nowMs = 1_000_000_000_000;
const now = nowMs / 1_000;

function verify(claims: { iat: number; exp: number; nbf?: number }, expiry: TokenRules['expiry']): Promise<string> {
  const ids = { sub: uuidV7(0), sid: uuidV7(0), jti: uuidV7(0) };
  const token = signToken(key, { alg: 'ES256', typ: 'at+jwt', kid: 'k' }, { iss: 'i', aud: 'a', ...ids, ...claims });
  const rules: TokenRules = { issuer: 'i', audience: 'a', nowMs, expiry, keyOf: () => key.publicKey };
  return verifyAccessToken(token, rules).then(
    (verified) => {
      const expected = { accountId: ids.sub, sessionId: ids.sid, tokenId: ids.jti, keyId: 'k' };
      expect(verified).toEqual({ ...expected, expiresAt: claims.exp * 1_000 });
      return 'ok';
    },
    (error: Error) => error.message,
  );
}

const expired = expect.stringMatching(
  /^The access token has expired: it is \S+Z here.*\. Refresh it or sign in again\.$/,
);
const invalid = 'The credential is not valid.';

describe('F67 F49 an access token with', () => {
  it.each([
    ['one second to live', { iat: now, exp: now + 1 }, 'ok', 'ok'],
    ['an expiry of now', { iat: now - 10, exp: now }, expired, 'ok'],
    ['an expiry long ago', { iat: 0, exp: 1 }, expired, 'ok'],
    ['an expiry long ago and another issuer', { iat: 0, exp: 1, iss: 'x' }, invalid, invalid],
    ['an expiry long ago and two audiences', { iat: 0, exp: 1, aud: ['a', 'x'] }, invalid, invalid],
    ['an issue 60 s ahead', { iat: now + 60, exp: now + 100 }, 'ok', 'ok'],
    ['an issue 61 s ahead', { iat: now + 61, exp: now + 100 }, invalid, invalid],
    ['a beginning of now', { iat: now, exp: now + 100, nbf: now }, 'ok', 'ok'],
    ['a beginning 1 s ahead', { iat: now, exp: now + 100, nbf: now + 1 }, invalid, invalid],
    ['a fraction of a second', { iat: now, exp: now + 0.5 }, invalid, invalid],
    ['an expiry beyond what a date can be', { iat: now, exp: 1e300 }, invalid, invalid],
  ])('%s', async (_title, claims, enforced, ignored) => {
    expect([await verify(claims, 'enforced'), await verify(claims, 'ignored')]).toEqual([enforced, ignored]);
  });
});
