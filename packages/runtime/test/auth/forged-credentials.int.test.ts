import { generateKeyPairSync, sign } from 'node:crypto';
import { useOnce } from '@tollgate/testkit/use-world';
import { describe, expect, it } from '@jest/globals';
import { forgeTokens } from '@tollgate/testkit/forged-tokens';
import { createApiKey } from '../../src/auth/api-key-format.ts';
import { bearer, headerOf, refused, startCredentials } from '../support/credentials-under-test.ts';

const test = useOnce(() => startCredentials());

interface Forged {
  readonly title: string;
  readonly authorization: string | undefined;
}

function forgeHeaders(): Forged[] {
  const key = createApiKey();
  const token = test.createToken().text;
  const schemes = ['Basic YTpi', `Basic ${token}`, token, `Token ${token}`, `Bearer,${key}`, `Bearer\t${token}`];
  const repeated = [`Bearer ${token}, Bearer ${token}`, `Bearer ${token} x`, `Bearer ${token} ${token}`];
  const keys = [key, `${key}0`, key.slice(0, -1), 'tg_live_', key.replace('tg_live_', 'tg_test_'), key.toLowerCase()];
  const others = ['undefined', 'null', '__proto__', test.operatorToken.slice(1), `${test.operatorToken}0`];
  const headers = [undefined, '', 'Bearer', 'Bearer ', ...schemes, ...repeated, ...[...keys, ...others].map(bearer)];
  return headers.map((authorization) => ({ title: `the header ${authorization?.slice(0, 40)}`, authorization }));
}

function forgeAll(): Forged[] {
  return [
    ...forgeHeaders(),
    ...forgeTokens(test.signing, test.createToken().text).map(({ title, token }) => ({
      title,
      authorization: bearer(token),
    })),
    { title: 'expired', authorization: bearer(test.createToken({ iat: 1_000, exp: 2_000 }).text) },
    { title: 'expires before it is issued', authorization: bearer(test.createToken({ exp: 1 }).text) },
  ];
}

describe('F67 a forged credential', () => {
  it('is 401 the first and the second time, each of 60 kinds and more, though a true one is let in', async () => {
    const forged = forgeAll();
    expect(new Set(forged.map(({ authorization }) => authorization)).size).toBeGreaterThanOrEqual(60);
    const admitted: string[] = [];
    for (const { title, authorization } of [...forged, ...forged]) {
      const answer = await test.answerTo(authorization);
      if (answer !== refused) admitted.push(`${title}: ${JSON.stringify(answer)}`);
    }
    expect(admitted).toEqual([]);
    expect(await test.answerTo(bearer(test.createToken().text))).toMatchObject({ kind: 'session' });
  });

  it('gets the same answer whatever is wrong, unless the token is expired', async () => {
    const messages = new Set<string>();
    for (const { token } of forgeTokens(test.signing, test.createToken().text)) {
      const refusal = async () => test.credentials.authenticate(bearer(token));
      messages.add(await refusal().then(String, ({ message }: Error) => message));
    }
    const isOther = (message: string) => message.startsWith('Send the header') || message.includes('expired');
    expect([...messages].filter((message) => !isOther(message))).toEqual(['The credential is not valid.']);
  });
});

describe('a key pair of another kind in the directory', () => {
  it('verifies nothing', async () => {
    const rsa = { keyId: 'rsa-key', ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) };
    await test.publishKey(rsa);
    for (const alg of ['RS256', 'ES256']) {
      const [, claims] = test.createToken().text.split('.');
      const input = `${Buffer.from(JSON.stringify({ ...headerOf(rsa), alg })).toString('base64url')}.${claims}`;
      const token = `${input}.${sign('sha256', Buffer.from(input), rsa.privateKey).toString('base64url')}`;
      expect(await test.answerTo(bearer(token))).toBe(refused);
    }
  });

  it('F90 does not hinder the reading of the others: a newer version of the services may have published it', async () => {
    await test.owner.query(
      'insert into auth.signing_key (key_id, public_jwk, created_at, retired_at) values ($1, $2, $3, $3)',
      ['key-from-the-future', JSON.stringify({ kty: 'XYZ' }), new Date(0)],
    );
    await expect(test.credentials.changed()).resolves.toBeUndefined();
    expect(await test.answerTo(bearer(test.createToken().text))).toMatchObject({ kind: 'session' });
  });
});
