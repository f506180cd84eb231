import { dayMs } from '@tollgate/kernel/durations';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { decodeProtectedHeader } from 'jose';
import { rotateSigningKey } from '../../src/operator.ts';
import { createAuth } from '../../src/service.ts';
import { startAuth, type AuthUnderTest, type TokenBody } from '../support/auth-under-test.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let auth: AuthUnderTest;
let other: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
  other = await startAuth({ beside: auth });
});
afterAll(async () => {
  await other.stop();
  await auth.stop();
});

const rotate = () => rotateSigningKey(auth.config, { clock: auth.clock, log });
const refresh = (token: string) => auth.send<TokenBody>('POST', '/v1/auth/refresh', { token });
const publishedKeyIds = async (service: AuthUnderTest) => {
  const { body } = await service.send<{ keys: { kid: string }[] }>('GET', '/.well-known/jwks.json');
  return body.keys.map((key) => key.kid);
};

describe('signing keys', () => {
  it('are made once when two processes start together on an empty database', async () => {
    await auth.owner.query('delete from auth.signing_key');
    const starting = Array.from({ length: 4 }, () => createAuth(auth.config, { clock: auth.clock, log }));
    await Promise.all(starting.map((service) => service.start()));
    expect(await auth.owner.query('select key_id from auth.signing_key')).toHaveLength(1);
    await Promise.all(starting.map((service) => service.stop()));
    await eventually(async () => (await publishedKeyIds(auth)).length === 1, { withinMs: 2_000 });
  });

  it('F69 rotate without signing anyone out, in any process', async () => {
    const { token } = await auth.signUp();
    const keyId = await rotate();
    await eventually(
      async () => (await publishedKeyIds(auth))[0] === keyId && (await publishedKeyIds(other))[0] === keyId,
      { withinMs: 1_000 },
    );
    const after = await other.signUp();
    expect(decodeProtectedHeader(after.token).kid).toBe(keyId);
    for (const service of [auth, other]) {
      expect(await service.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 200 });
      expect(await service.send('GET', '/v1/auth/me', { token: after.token })).toMatchObject({ status: 200 });
    }
    expect(await refresh(token)).toMatchObject({ status: 200 });
  });

  it('F69 let a token of a retired key refresh until its session is over', async () => {
    const { token } = await auth.signUp();
    await rotate();
    auth.clock.advance(30 * dayMs - 60_000);
    expect(await refresh(token)).toMatchObject({ status: 200 });
  });

  it('lose their private half when they retire, and one signs however many rotate at once', async () => {
    await Promise.all(Array.from({ length: 4 }, rotate));
    const rows = await auth.owner.query<{ signs: boolean }>(
      'select private_sealed is not null as signs from auth.signing_key',
    );
    expect(rows.filter((row) => row.signs)).toHaveLength(1);
  });

  it('F69 take their tokens with them when they are deleted', async () => {
    const { token } = await auth.signUp();
    const retired = decodeProtectedHeader(token).kid;
    await rotate();
    expect(await auth.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 200 });
    await auth.owner.query('delete from auth.signing_key where key_id = $1', [retired]);
    await eventually(async () => (await auth.send('GET', '/v1/auth/me', { token })).status === 401, {
      withinMs: 1_000,
    });
    await eventually(async () => (await refresh(token)).status === 401, { withinMs: 1_000 });
  });

  it('refuse to start with another secret, and say what to do; rotating is a way out', async () => {
    const config = { ...auth.config, AUTH_KEY_ENCRYPTION_SECRET: 'another secret, also of more than 32 characters' };
    const stranger = createAuth(config, { clock: auth.clock, log });
    await expect(stranger.start()).rejects.toThrow(/AUTH_KEY_ENCRYPTION_SECRET does not open the signing key/);
    await rotateSigningKey(config, { clock: auth.clock, log });
    const again = createAuth(config, { clock: auth.clock, log });
    await again.start();
    await again.stop();
  });
});
