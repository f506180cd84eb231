import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { signToken } from '@tollgate/testkit/forged-tokens';
import { verifyAccessToken, type TokenRules } from './verify-access-token.ts';

const key = { keyId: 'k', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const nowMs = 1_000_000_000_000;
const now = nowMs / 1_000;

function verify(times: { iat: number; exp: number; nbf?: number }, expiry: TokenRules['expiry']): Promise<string> {
  const ids = { sub: uuidV7(0), sid: uuidV7(0), jti: uuidV7(0) };
  const token = signToken(key, { alg: 'ES256', typ: 'at+jwt', kid: 'k' }, { iss: 'i', aud: 'a', ...ids, ...times });
  const rules: TokenRules = { issuer: 'i', audience: 'a', nowMs, expiry, keyOf: () => key.publicKey };
  return verifyAccessToken(token, rules).then(
    ({ tokenId, expiresAt, issuedAt }) => {
      expect({ tokenId, expiresAt, issuedAt }).toEqual({
        tokenId: ids.jti,
        expiresAt: times.exp * 1_000,
        issuedAt: times.iat * 1_000,
      });
      return 'ok';
    },
    (error: Error) => error.message,
  );
}

const expired = 'The access token has expired; refresh it or sign in again.';
const invalid = 'The credential is not valid.';

describe('F67 F49 the times of an access token', () => {
  it.each([
    ['one second to live', { iat: now, exp: now + 1 }, 'ok', 'ok'],
    ['expires now', { iat: now - 10, exp: now }, expired, 'ok'],
    ['expired long ago', { iat: 0, exp: 1 }, expired, 'ok'],
    ['issued 60 s ahead', { iat: now + 60, exp: now + 100 }, 'ok', 'ok'],
    ['issued 61 s ahead', { iat: now + 61, exp: now + 100 }, invalid, invalid],
    ['not before 61 s ahead', { iat: now, exp: now + 100, nbf: now + 61 }, invalid, invalid],
    ['a fraction of a second', { iat: now, exp: now + 0.5 }, invalid, invalid],
    ['beyond what a date can be', { iat: now, exp: 1e300 }, invalid, invalid],
  ])('%s', async (_what, times, enforced, ignored) => {
    expect([await verify(times, 'enforced'), await verify(times, 'ignored')]).toEqual([enforced, ignored]);
  });
});
