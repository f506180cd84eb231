import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { toIso } from '@tollgate/kernel/clock';
import { signToken } from '@tollgate/testkit/forged-tokens';
import type { GatewayUnderTest } from './gateway-under-test.ts';

export type IssueToken = (accountId: string) => string;

/** Issues access tokens like auth's, signed with a key of the test's own. */
export async function openTokenIssuer({ owner, clock }: GatewayUnderTest): Promise<IssueToken> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomUUID();
  await owner.query(
    'insert into auth.signing_key (key_id, public_jwk, created_at, retired_at) values ($1, $2, $3, $3)',
    [keyId, publicKey.export({ format: 'jwk' }), toIso(clock.now())],
  );
  return function issueToken(accountId) {
    const iat = Math.floor(clock.now() / 1_000);
    const claims = {
      iss: 'tollgate',
      aud: 'tollgate',
      sub: accountId,
      sid: randomUUID(),
      jti: randomUUID(),
      iat,
      exp: iat + 3_600,
    };
    return signToken({ keyId, privateKey, publicKey }, { alg: 'ES256', typ: 'at+jwt', kid: keyId }, claims);
  };
}
