import { dayMs } from '@tollgate/kernel/durations';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { decodeProtectedHeader } from 'jose';
import { rotateSigningKey } from '../../src/operator.ts';
import { createAuth } from '../../src/service.ts';
import { authSuite, type AuthUnderTest } from '../support/auth-under-test.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const auth = authSuite();
let other: AuthUnderTest;

beforeAll(async () => {
  other = await auth.startBeside();
});

const create = (config = auth.config) => createAuth(config, { clock: auth.clock, log });
const rotate = (config = auth.config) => rotateSigningKey(config, { clock: auth.clock, log });
const publishedKeyIds = async (service: AuthUnderTest) => {
  const { body } = await service.send<{ keys: { kid: string }[] }>('GET', '/.well-known/jwks.json');
  return body.keys.map((key) => key.kid);
};

describe('signing keys', () => {
  it('are made once when four processes start together on an empty database', async () => {
    await auth.owner.query('delete from auth.signing_key');
    const starting = Array.from({ length: 4 }, () => create());
    await Promise.all(starting.map((service) => service.start()));
    expect(await auth.owner.query('select key_id from auth.signing_key')).toHaveLength(1);
    await Promise.all(starting.map((service) => service.stop()));
    await eventually(async () => (await publishedKeyIds(auth)).length === 1, { withinMs: 2_000 });
  });

  it('F69 rotate without signing anyone out, in any process', async () => {
    const { token } = await auth.signUp();
    const keyId = await rotate();
    for (const service of [auth, other])
      await eventually(async () => (await publishedKeyIds(service))[0] === keyId, { withinMs: 1_000 });
    const after = await other.signUp();
    expect(decodeProtectedHeader(after.token).kid).toBe(keyId);
    for (const service of [auth, other])
      for (const known of [token, after.token]) expect(await service.me(known)).toMatchObject({ status: 200 });
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('F69 let a token of a retired key refresh until its session is over', async () => {
    const { token } = await auth.signUp();
    await rotate();
    auth.clock.advance(30 * dayMs - 60_000);
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('lose their private half when they retire, and one signs however many rotate at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => rotate()));
    const signing = 'select key_id from auth.signing_key where private_sealed is not null';
    expect(await auth.owner.query(signing)).toHaveLength(1);
  });

  it('F137 are revoked by a rotation that says so: earlier tokens are refused soon, and nobody refreshes them', async () => {
    const { token, email, password } = await auth.signUp();
    await rotateSigningKey(auth.config, { clock: auth.clock, log });
    expect(await auth.me(token)).toMatchObject({ status: 200 });
    await rotateSigningKey(auth.config, { clock: auth.clock, log }, { revokesEarlier: true });
    for (const service of [auth, other]) await service.untilRefused(token);
    expect(await auth.refresh(token)).toMatchObject({ status: 401 });
    const { body } = await auth.login({ email, password });
    expect(await other.me(body.access_token)).toMatchObject({ status: 200 });
  });

  it('F69 take their tokens with them when they are deleted', async () => {
    const { token } = await auth.signUp();
    const retired = decodeProtectedHeader(token).kid;
    await rotate();
    expect(await auth.me(token)).toMatchObject({ status: 200 });
    await auth.owner.query('delete from auth.signing_key where key_id = $1', [retired]);
    await auth.untilRefused(token);
    expect(await auth.refresh(token)).toMatchObject({ status: 401 });
  });

  it('refuse to start with another secret, and say what to do; rotating is a way out', async () => {
    const config = { ...auth.config, AUTH_KEY_ENCRYPTION_SECRET: 'another secret, also of more than 32 characters' };
    await expect(create(config).start()).rejects.toThrow(/AUTH_KEY_ENCRYPTION_SECRET does not open the signing key/);
    await rotate(config);
    const again = create(config);
    await again.start();
    await again.stop();
  });
});
