import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { signToken } from '@tollgate/testkit/forged-tokens';
import type { GatewayUnderTest } from './gateway-under-test.ts';

export type IssueToken = (accountId: string) => string;

/** Issues access tokens like auth's, signed with a key of the test's own. */
export async function openTokenIssuer({ owner, clock }: GatewayUnderTest): Promise<IssueToken> {
  const key = { keyId: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
  await createAuthRows(owner).publishKey(key);
  return function issueToken(accountId) {
    const iat = Math.floor(clock.now() / 1_000);
    const ids = { sub: accountId, sid: randomUUID(), jti: randomUUID() };
    const claims = { iss: 'tollgate', aud: 'tollgate', ...ids, iat, exp: iat + 3_600 };
    return signToken(key, { alg: 'ES256', typ: 'at+jwt', kid: key.keyId }, claims);
  };
}
