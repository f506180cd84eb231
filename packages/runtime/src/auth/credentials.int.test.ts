import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createMovableClock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/event-id';
import { AppError } from '@tollgate/kernel/app-error';
import { eventually } from '@tollgate/testkit/eventually';
import { forgeTokens, signToken, type RealKey } from '@tollgate/testkit/forged-tokens';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '../logging/create-logger.ts';
import { createDatabase, type Database } from '../postgres/database.ts';
import { createNotifications, type Notifications } from '../postgres/notifications.ts';
import { createApiKey, hashApiKey } from './api-key-format.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import type { Principal } from './principal.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const clock = createMovableClock(Date.UTC(2026, 10, 21));
const terms = { issuer: 'https://tollgate.test', audience: 'tollgate' };
const operatorToken = randomBytes(24).toString('hex');

let test: TestDatabase;
let owner: Database;
let database: Database;
let notifications: Notifications;
let credentials: Credentials;
const signing = createSigner('key-1');
const account = uuidV7(0);
/** Stands between the directory and PostgreSQL, and can be cut. */
let isDown = false;
let statements: string[] = [];

beforeAll(async () => {
  test = await testDatabase();
  owner = createDatabase({ url: test.ownerUrl, name: 'owner', log });
  await owner.query(
    "insert into auth.account (account_id, email, password_hash, password_changed_at, created_at) values ($1, 'a@b.test', 'x', $2, $2)",
    [account, new Date(0)],
  );
  await publishKey(signing);
  database = withSwitch(createDatabase({ url: test.urlFor('ingest_gateway_worker'), name: 'worker', log }));
  notifications = createNotifications({ url: test.urlFor('ingest_gateway_worker'), log });
  await notifications.start();
  credentials = open(notifications);
  await credentials.start();
});

afterAll(async () => {
  await credentials.stop();
  await notifications.stop();
  await database.stop();
  await owner.stop();
  await test.drop();
});

function open(news: Pick<Notifications, 'on'>): Credentials {
  return createCredentials({ database, notifications: news, clock, log, config: { ...terms, operatorToken } });
}

/** One that no notification reaches. Stopped after the test, however that ends. */
function openDeaf(): Credentials {
  const deaf = open({ on: () => undefined });
  opened.push(deaf);
  return deaf;
}

const opened: Credentials[] = [];

afterEach(async () => {
  isDown = false;
  for (const deaf of opened.splice(0)) await deaf.stop();
});

function withSwitch(real: Database): Database {
  return {
    ...real,
    async query(statement, values) {
      statements.push(typeof statement === 'string' ? statement : statement.text);
      if (isDown) throw Object.assign(new Error('connection refused'), { kind: 'unavailable', code: 'unavailable' });
      return real.query(statement, values);
    },
  };
}

function createSigner(keyId: string): RealKey {
  return { keyId, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

async function publishKey({ keyId, publicKey }: RealKey): Promise<void> {
  await owner.query(
    'insert into auth.signing_key (key_id, public_jwk, created_at, retired_at) values ($1, $2, $3, $3)',
    [keyId, JSON.stringify(publicKey.export({ format: 'jwk' })), new Date(0)],
  );
}

interface Claims {
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly exp: number;
  readonly iat: number;
}

const headerOf = ({ keyId }: RealKey) => ({ alg: 'ES256', typ: 'at+jwt', kid: keyId });

function createToken(changes: Partial<Claims> = {}, key = signing): Claims & { readonly text: string } {
  const iat = Math.floor(clock.now() / 1_000);
  const ids = { sub: account, sid: uuidV7(clock.now()), jti: uuidV7(clock.now()) };
  const claims = { iss: terms.issuer, aud: terms.audience, ...ids, iat, exp: iat + 3_600, ...changes };
  return { ...claims, text: signToken(key, headerOf(key), claims) };
}

async function createKey(): Promise<{ key: string; id: string }> {
  const [key, id] = [createApiKey(), uuidV7(clock.now())];
  await owner.query(
    "insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at) values ($1, $2, 'k', $3, 'tg_live_', 'abcd', $4)",
    [id, account, hashApiKey(key), new Date(0)],
  );
  return { key, id };
}

const revokeKey = (id: string) =>
  owner.query('update auth.api_key set revoked_at = $2 where key_id = $1', [id, new Date(0)]);

async function createSession(): Promise<string> {
  const session = uuidV7(clock.now());
  await owner.query(
    'insert into auth.session (session_id, account_id, token_id, token_expires_at, created_at, refreshed_at) values ($1, $2, $3, $4, $4, $4)',
    [session, account, uuidV7(0), new Date(0)],
  );
  return session;
}

const endSession = (id: string) =>
  owner.query("update auth.session set ended_at = $2, ended_because = 'logout' where session_id = $1", [
    id,
    new Date(0),
  ]);

const bearer = (token: string) => `Bearer ${token}`;

/** The principal, or the code of the refusal. */
async function answerTo(authorization: string | undefined, by = credentials): Promise<Principal | string> {
  try {
    return await by.authenticate(authorization);
  } catch (error) {
    const { kind, code } = error as { kind: string; code: string };
    return `${kind} ${code}`;
  }
}

const refused = 'unauthenticated unauthorized';

describe('an access token', () => {
  it('of ours is its session, at once when it is known', async () => {
    const token = createToken();
    const principal = await credentials.authenticate(bearer(token.text));
    expect(principal).toEqual({
      kind: 'session',
      accountId: token.sub,
      sessionId: token.sid,
      tokenId: token.jti,
      expiresAt: token.exp * 1_000,
    });
    expect(credentials.authenticate(bearer(token.text))).toEqual(principal);
    expect(credentials.authenticate(`bearer   ${token.text} `)).toEqual(principal);
  });

  it('passes to the last millisecond before it expires, and not one later, known or not', async () => {
    const token = createToken({ exp: Math.floor(clock.now() / 1_000) + 10 });
    clock.set(token.exp * 1_000 - 1);
    clock.freeze(true);
    expect(await answerTo(bearer(token.text))).toMatchObject({ kind: 'session' });
    clock.advance(1);
    expect(await answerTo(bearer(token.text))).toBe(refused);
    const unknown = createToken({ exp: token.exp });
    expect(await answerTo(bearer(unknown.text))).toBe(refused);
    clock.freeze(false);
  });

  it('F49 may be issued up to 60 s ahead of our clock', async () => {
    const nowSeconds = Math.floor(clock.now() / 1_000);
    expect(await answerTo(bearer(createToken({ iat: nowSeconds + 59 }).text))).toMatchObject({ kind: 'session' });
    expect(await answerTo(bearer(createToken({ iat: nowSeconds + 65 }).text))).toBe(refused);
  });

  it('F69 of an ended session is refused within a second, known before or not', async () => {
    const sid = await createSession();
    const [known, unknown] = [createToken({ sid }), createToken({ sid })];
    expect(await answerTo(bearer(known.text))).toMatchObject({ kind: 'session' });
    await endSession(sid);
    await eventually(async () => (await answerTo(bearer(known.text))) === refused, { withinMs: 1_000 });
    expect(await answerTo(bearer(unknown.text))).toBe(refused);
  });

  it('F69 of a key made just now is known at once; of a key that is withdrawn no more, also when verified before', async () => {
    const other = createSigner('key-2');
    const token = createToken({}, other);
    expect(await answerTo(bearer(token.text))).toBe(refused);
    await publishKey(other);
    expect(await answerTo(bearer(token.text))).toMatchObject({ kind: 'session' });
    await owner.query('delete from auth.signing_key where key_id = $1', [other.keyId]);
    await eventually(async () => (await answerTo(bearer(token.text))) === refused, { withinMs: 1_000 });
  });

  it('F69 rotation of the signing key signs nobody out', async () => {
    const token = createToken();
    const next = createSigner('key-3');
    await publishKey(next);
    await credentials.changed();
    expect(await answerTo(bearer(token.text))).toMatchObject({ kind: 'session' });
    expect(await answerTo(bearer(createToken({}, next).text))).toMatchObject({ kind: 'session' });
  });
});

describe('F67 a forged credential', () => {
  const key = createApiKey();
  const headers = [
    undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', `Basic ${createToken().text}`, createToken().text, `Token ${createToken().text}`,
    `Bearer ${createToken().text}, Bearer ${createToken().text}`, `Bearer ${createToken().text} x`, `Bearer\t${createToken().text}`, `Bearer,${key}`,
    `Bearer ${key}`, `Bearer ${key}0`, `Bearer ${key.slice(0, -1)}`, 'Bearer tg_live_', `Bearer ${key.replace('tg_live_', 'tg_test_')}`, `Bearer ${key.toLowerCase()}`,
    'Bearer undefined', 'Bearer null', 'Bearer __proto__', `Bearer ${operatorToken.slice(1)}`, `Bearer ${operatorToken.toUpperCase()}`,
  ]; // prettier-ignore
  const forged = [
    ...forgeTokens(signing, createToken().text).map(({ title, token }) => ({ title, authorization: bearer(token) })),
    ...headers.map((authorization) => ({ title: `the header ${authorization?.slice(0, 40)}`, authorization })),
    { title: 'expired', authorization: bearer(createToken({ iat: 1_000, exp: 2_000 }).text) },
    { title: 'expires before it is issued', authorization: bearer(createToken({ exp: 1 }).text) },
  ];

  it('comes in 60 kinds and more', () => {
    expect(new Set(forged.map((one) => one.authorization)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(forged)('is 401 the first and the second time: $title', async ({ authorization }) => {
    expect([await answerTo(authorization), await answerTo(authorization)]).toEqual([refused, refused]);
  });

  it('differs from a good one in that alone', async () => {
    expect(await answerTo(bearer(createToken().text))).toMatchObject({ kind: 'session' });
  });

  it('learns nothing from the answer: it is the same for all but expired ones', async () => {
    const messages = new Set<string>();
    for (const { token } of forgeTokens(signing, createToken().text)) {
      try {
        await credentials.authenticate(bearer(token));
      } catch (error) {
        if (error instanceof AppError) messages.add(error.message);
      }
    }
    expect(
      [...messages].filter((message) => !message.startsWith('Send the header') && !message.includes('expired')),
    ).toEqual(['The credential is not valid.']);
  });
});

describe('an API key', () => {
  it('works the moment it is committed, and is known at once after that', async () => {
    const { key, id } = await createKey();
    const principal = { kind: 'api_key', accountId: account, keyId: id };
    expect(await answerTo(bearer(key))).toEqual(principal);
    expect(credentials.authenticate(bearer(key))).toEqual(principal);
  });

  it('works the moment it is committed also while another look-up is under way', async () => {
    for (let round = 0; round < 20; round++) {
      const noise = Array.from({ length: 20 }, () => answerTo(bearer(createApiKey())));
      const { key } = await createKey();
      expect(await answerTo(bearer(key))).toMatchObject({ kind: 'api_key' });
      expect(new Set(await Promise.all(noise))).toEqual(new Set([refused]));
    }
  });

  it('F69 that is revoked is refused within a second, and stays so', async () => {
    const { key, id } = await createKey();
    expect(await answerTo(bearer(key))).toMatchObject({ kind: 'api_key' });
    await revokeKey(id);
    await eventually(async () => (await answerTo(bearer(key))) === refused, { withinMs: 1_000 });
    await credentials.changed();
    expect(await answerTo(bearer(key))).toBe(refused);
  });

  it('with a wrong checksum is refused without a look-up', async () => {
    statements = [];
    const { key } = { key: createApiKey() };
    expect(await answerTo(bearer(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`))).toBe(refused);
    expect(statements.filter((text) => text.includes('key_hash = any'))).toEqual([]);
  });

  it('a flood of unknown ones costs few statements', async () => {
    statements = [];
    const answers = await Promise.all(Array.from({ length: 500 }, () => answerTo(bearer(createApiKey()))));
    expect(new Set(answers)).toEqual(new Set([refused]));
    expect(statements.filter((text) => text.includes('key_hash = any')).length).toBeLessThan(10);
  });
});

describe('changes', () => {
  it('are found by polling when no notification comes', async () => {
    const deaf = openDeaf();
    await deaf.start();
    const { key, id } = await createKey();
    const sid = await createSession();
    const token = createToken({ sid });
    expect(await answerTo(bearer(key), deaf)).toMatchObject({ kind: 'api_key' });
    expect(await answerTo(bearer(token.text), deaf)).toMatchObject({ kind: 'session' });
    await revokeKey(id);
    await endSession(sid);
    await eventually(async () => (await answerTo(bearer(key), deaf)) === refused, { withinMs: 1_000 });
    await eventually(async () => (await answerTo(bearer(token.text), deaf)) === refused, { withinMs: 1_000 });
  });

  it.each(['during the first reading', 'later'])('that commit out of order are not skipped: %s', async (when) => {
    const [early, late] = [await createKey(), await createKey()];
    const deaf = openDeaf();
    if (when === 'later') await deaf.start();
    const [revoked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = owner.transaction(async (tx) => {
      await tx.query('update auth.api_key set revoked_at = $2 where key_id = $1', [early.id, new Date(0)]);
      revoked.resolve();
      await mayCommit.promise;
    });
    await revoked.promise;
    await revokeKey(late.id); // takes the later number, commits first
    await createKey(); // its number is greater still, and it is live
    if (when !== 'later') await deaf.start();
    await deaf.changed();
    expect(await answerTo(bearer(late.key), deaf)).toBe(refused);
    expect(await answerTo(bearer(early.key), deaf)).toMatchObject({ kind: 'api_key' });
    mayCommit.resolve();
    await slow;
    await deaf.changed();
    expect(await answerTo(bearer(early.key), deaf)).toBe(refused);
  });
});

describe('F11 with PostgreSQL away', () => {
  it('known credentials work, unknown ones are 503, and false ones 401', async () => {
    const [known, unknown] = [await createKey(), await createKey()];
    const deaf = openDeaf();
    await deaf.start();
    await revokeKey(unknown.id); // so that start has not read it as live
    const fresh = await createKey();
    const token = createToken();
    isDown = true;
    try {
      expect(await answerTo(bearer(known.key), deaf)).toMatchObject({ kind: 'api_key' });
      expect(await answerTo(bearer(token.text), deaf)).toMatchObject({ kind: 'session' });
      expect(await answerTo(bearer(fresh.key), deaf)).toBe('unavailable unavailable');
      const stranger = createToken({}, createSigner('key-4'));
      expect(await answerTo(bearer(stranger.text), deaf)).toBe('unavailable unavailable');
      expect(await answerTo(bearer(`${token.text.slice(0, -4)}AAAA`), deaf)).toBe(refused);
      expect(await answerTo(bearer(`${fresh.key}x`), deaf)).toBe(refused);
      await new Promise((resolve) => setTimeout(resolve, 1_200)); // polls fail meanwhile
      expect(await answerTo(bearer(known.key), deaf)).toMatchObject({ kind: 'api_key' });
    } finally {
      isDown = false;
    }
    expect(await answerTo(bearer(fresh.key), deaf)).toMatchObject({ kind: 'api_key' });
  });

  it('a start is refused: nothing is known yet', async () => {
    isDown = true;
    const cold = openDeaf();
    await expect(cold.start()).rejects.toThrow('connection refused');
    expect(await cold.readiness?.()).toEqual({ credentials: 'not read yet' });
    isDown = false;
  });
});

describe('the operator', () => {
  it('is whoever has the token, and nobody without one set', async () => {
    expect(await answerTo(bearer(operatorToken))).toEqual({ kind: 'operator' });
    expect(await answerTo(bearer(`${operatorToken}x`))).toBe(refused);
    const without = createCredentials({ database, notifications, clock, log, config: terms });
    expect([credentials.hasOperator, without.hasOperator]).toEqual([true, false]);
    expect(await answerTo(bearer(operatorToken), without)).toBe(refused);
  });
});

describe('a key pair of another kind in the directory', () => {
  it('verifies nothing', async () => {
    const rsa = { keyId: 'rsa-key', ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) };
    await publishKey(rsa);
    for (const alg of ['RS256', 'ES256']) {
      const [, claims] = createToken().text.split('.');
      const input = `${Buffer.from(JSON.stringify({ ...headerOf(rsa), alg })).toString('base64url')}.${claims}`;
      const token = `${input}.${sign('sha256', Buffer.from(input), rsa.privateKey).toString('base64url')}`;
      expect(await answerTo(bearer(token))).toBe(refused);
    }
  });

  it('F90 keeps nobody from reading the others: a newer version of us may have put it there', async () => {
    await owner.query(
      'insert into auth.signing_key (key_id, public_jwk, created_at, retired_at) values ($1, $2, $3, $3)',
      ['key-from-the-future', JSON.stringify({ kty: 'XYZ' }), new Date(0)],
    );
    await expect(credentials.changed()).resolves.toBeUndefined();
    expect(await answerTo(bearer(createToken().text))).toMatchObject({ kind: 'session' });
  });
});
