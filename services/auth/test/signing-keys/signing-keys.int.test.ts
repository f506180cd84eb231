import { dayMs } from '@tollgate/kernel/durations';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { type JSONWebKeySet, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { rotateSigningKey } from '../../src/operator.ts';
import { createAuth } from '../../src/service.ts';
import { type AuthUnderTest, type KeyBody, type TokenBody, authSuite } from '../support/auth-under-test.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tollgate/database/database';
import type { HttpAnswer } from '@tollgate/testkit/http-client';
import { type SeededRandom, seededRandom } from '@tollgate/testkit/seeded-random';

const log = createLogger({ name: 'test', level: 'silent' });
let other: AuthUnderTest;

const publishedKeyIds = async (service: AuthUnderTest) => {
  const { body } = await service.send<{ keys: { kid: string }[] }>('GET', '/.well-known/jwks.json');
  return body.keys.map((key) => key.kid);
};

const rounds = 40;
let killer: Database;
let random: SeededRandom;

/** Cuts every connection of the service's role at a random moment of the request: before, in and after its commit. */
async function struck<Body>(request: Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  await sleep(random.integer(0, 7));
  await killer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  );
  return request;
}

async function retried<Body>(send: () => Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  const settled = async () => {
    const answer = await send();
    return answer.status < 500 && answer.status !== 409 ? answer : undefined;
  };
  return eventually(settled, { withinMs: 5_000 }) as Promise<HttpAnswer<Body>>; // eventually leaves out undefined
}

describe('signing keys', () => {
  const auth = authSuite();

  beforeAll(async () => {
    other = await auth.startBeside();
  });

  const create = (config = auth.config) => createAuth(config, { clock: auth.clock, log });
  const rotate = (config = auth.config) => rotateSigningKey(config, { clock: auth.clock, log });

  it('are made once when four processes start together on an empty database', async () => {
    await auth.owner.query('delete from auth.signing_key');
    const starting = Array.from({ length: 4 }, () => create());
    await Promise.all(starting.map((service) => service.start()));
    expect(await auth.owner.query('select key_use from auth.signing_key order by 1')).toEqual([
      { key_use: 'oauth' },
      { key_use: 'session' },
    ]);
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
    expect(await auth.owner.query(signing)).toHaveLength(2); // one per use
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
    for (const use of ['session', 'oauth'] as const)
      await rotateSigningKey(config, { clock: auth.clock, log }, { use });
    const again = create(config);
    await again.start();
    await again.stop();
  });
});

describe('200', () => {
  const auth = authSuite();
  const readKeySet = () => auth.send<JSONWebKeySet>('GET', '/.well-known/jwks.json');

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

  it('F302 publishes the keys of each use apart', async () => {
    const [sessions, oauth] = [await readKeySet(), await auth.send<JSONWebKeySet>('GET', '/oauth/jwks')];
    const idsOf = ({ body }: { readonly body: JSONWebKeySet }) => body.keys.map(({ kid }) => kid);
    const stored = await auth.owner.query('select key_id, key_use from auth.signing_key order by key_use');
    expect(stored).toEqual([
      { key_id: idsOf(oauth)[0], key_use: 'oauth' },
      { key_id: idsOf(sessions)[0], key_use: 'session' },
    ]);
    expect([idsOf(sessions).length, idsOf(oauth).length]).toEqual([1, 1]);
  });

  it('publishes no private half, and the database holds none in the open', async () => {
    expect((await readKeySet()).text).not.toContain('"d"');
    const rows = await auth.owner.query<{ public_jwk: object; private_sealed: Buffer }>(
      'select public_jwk, private_sealed from auth.signing_key',
    );
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.public_jwk).not.toHaveProperty('d');
      expect(row.private_sealed.includes('PRIVATE')).toBe(false);
    }
  });
});

describe('secrets in logs', () => {
  const auth = authSuite();

  it('F76 writes no password, token, key, hash or e-mail to the log, whatever goes right or wrong', async () => {
    const canary = 'canary-7f3a9c';
    const credentials = { email: `${canary}-mail@example.com`, password: `${canary}-password` };
    const { body: registered } = await auth.post<TokenBody>('/v1/auth/register', credentials);
    await auth.post('/v1/auth/register', credentials);
    const malformed = { email: `${canary} no mail`, password: [canary], [`${canary}-field`]: canary };
    await auth.post('/v1/auth/register', malformed);
    await auth.login({ ...credentials, password: `${canary}-wrong` });
    const token = (await auth.refresh(registered.access_token)).body.access_token;
    const { body: apiKey } = await auth.post<KeyBody>('/v1/api-keys', { name: `${canary}-name` }, token);
    await auth.post('/v1/api-keys', { name: 'k' }, apiKey.key);
    await auth.send('GET', `/v1/api-keys?cursor=${canary}`, { token });
    await auth.me(`${registered.access_token}x`);
    await auth.me(`tg_live_${canary}`);
    const change = { current_password: `${canary}-wrong`, new_password: `${canary}-new` };
    await auth.post('/v1/auth/password', change, token);
    await auth.logout(token);
    const known = [canary, '$argon2', 'PRIVATE KEY', auth.config.AUTH_KEY_ENCRYPTION_SECRET];
    const secrets = [...known, registered.access_token, token, apiKey.key];
    for (const secret of secrets) expect(auth.logged()).not.toContain(secret);
    expect(auth.logged()).toContain('answered');
  });

  it('F76 writes one line per fact, whatever is in the path and the headers', async () => {
    await fetch(`${auth.baseUrl}/v1/auth/%0d%0a%7B%22level%22:%22forged%22%7D`, {
      headers: { 'x-request-id': 'a b"c' },
    });
    const lines = auth.logged().trimEnd().split('\n');
    const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
    expect(levels).not.toContain('forged');
  });
});

describe('F66 a crash around the commit', () => {
  const auth = authSuite();

  beforeAll(() => {
    random = seededRandom('crash around commit');
    killer = auth.connectAs('auth_api');
  });

  it('of a token rotation leaves old or new valid, never neither or both', async () => {
    let { token } = await auth.signUp();
    let cut = 0;
    for (let round = 0; round < rounds; round += 1) {
      const first = await struck(auth.refresh(token));
      if (first.status !== 200) cut += 1;
      expect([200, 503]).toContain(first.status);
      const second = await retried(() => auth.refresh(token));
      expect(second.status).toBe(200);
      expect(second.body.access_token).toBe((first.status === 200 ? first : second).body.access_token);
      token = second.body.access_token;
    }
    expect(cut).toBeGreaterThan(0);
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('of a key creation leaves key and reply, or neither', async () => {
    const { token } = await auth.signUp();
    const ids = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const headers = { 'idempotency-key': `round ${round}` };
      const create = () =>
        auth.send<Partial<KeyBody>>('POST', '/v1/api-keys', { token, headers, body: { name: `k${round}` } });
      const first = await struck(create());
      const second = await retried(create);
      expect(second.status).toBe(201);
      const id = second.body.id ?? '';
      expect(id).toBe((first.status === 201 ? first : second).body.id);
      const isReplay = second.headers.get('idempotent-replayed') === 'true';
      expect(second.body.key === undefined).toBe(isReplay);
      const list = await retried(() => auth.send<{ total: number }>('GET', '/v1/api-keys', { token }));
      expect(list.body.total).toBe(1);
      ids.add(id);
      const removed = await retried(() => auth.send('DELETE', `/v1/api-keys/${id}`, { token }));
      expect(removed.status).toBe(204);
    }
    expect(ids.size).toBe(rounds);
  });
});
