import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { createAuthRows, type AuthRows } from '@tollgate/testkit/auth-rows';
import { signToken, type RealKey } from '@tollgate/testkit/forged-tokens';
import { testDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import { createCredentials, type Credentials, type CredentialsConfig } from '../../src/auth/credentials.ts';
import type { Principal } from '../../src/http/requests/principal.ts';

export interface Claims {
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly exp: number;
  readonly iat: number;
}

export type SignedClaims = Claims & { readonly text: string };

export interface CredentialsUnderTest extends Pick<
  AuthRows,
  'publishKey' | 'revokeKey' | 'endSession' | 'suspend' | 'resume'
> {
  readonly owner: Database;
  readonly clock: MovableClock;
  /** The clock by which operator tokens expire. */
  readonly realTime: MovableClock;
  /** The account of all keys, sessions and tokens. */
  readonly account: string;
  createKey(limits?: Parameters<AuthRows['createKey']>[1]): ReturnType<AuthRows['createKey']>;
  createSession(): Promise<string>;
  readonly operatorToken: string;
  /** Tokens of this key are good. */
  readonly signing: RealKey;
  readonly credentials: Credentials;
  open(config: Partial<CredentialsConfig>): Credentials;
  /** For connections of their own that listen. */
  readonly workerUrl: string;
  /** Credentials with a source of notifications of their own. `reset` stops them. */
  openWith(news: Pick<Notifications, 'on'>): Credentials;
  /** Credentials that no notification reaches. `reset` stops them, however the test ends. */
  openDeaf(): Credentials;
  createToken(changes?: Partial<Claims>, key?: RealKey): SignedClaims;
  /** The principal, or the kind and the code of the refusal. */
  answerTo(authorization: string | undefined, by?: Credentials): Promise<Principal | string>;
  /** Makes the directory's statements fail, or work again, as if PostgreSQL were away. */
  cutDatabase(isDown: boolean): void;
  statements(): readonly string[];
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export const refused = 'unauthenticated unauthorized';
export const bearer = (token: string) => `Bearer ${token}`;
export const headerOf = ({ keyId }: RealKey) => ({ alg: 'ES256', typ: 'at+jwt', kid: keyId });

export function createSigner(keyId: string): RealKey {
  return { keyId, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

const log = createLogger({ name: 'test', level: 'silent' });
const terms = { issuer: 'https://tollgate.test', audience: 'tollgate' };

/** Credentials over a real database of their own, with an account and a signing key in it. */
export async function startCredentials(): Promise<CredentialsUnderTest> {
  const server = await testDatabase();
  const clock = createMovableClock(Date.UTC(2026, 10, 21));
  const realTime = createMovableClock();
  const owner = createDatabase({ url: server.ownerUrl, name: 'owner', log });
  const operatorToken = randomBytes(24).toString('hex');
  const { publishKey, revokeKey, endSession, suspend, resume, ...rows } = createAuthRows(owner);
  const [account, signing] = [await rows.createAccount(), createSigner('key-1')];
  await publishKey(signing);
  const workerUrl = server.urlFor('ingest_gateway_worker');
  const { database, cutDatabase, statements } = withSwitch(createDatabase({ url: workerUrl, name: 'worker', log }));
  const notifications = createNotifications({ url: workerUrl, log });
  await notifications.start();
  const opened: Credentials[] = [];
  const make = (news: Pick<Notifications, 'on'>, config: Partial<CredentialsConfig>) =>
    createCredentials({ database, notifications: news, clock, realTime, log, config: { ...terms, ...config } });
  const credentials = make(notifications, { operatorToken });
  await credentials.start();

  function openWith(news: Pick<Notifications, 'on'>): Credentials {
    const other = make(news, { operatorToken });
    opened.push(other);
    return other;
  }

  function createToken(changes: Partial<Claims> = {}, key = signing): SignedClaims {
    const iat = Math.floor(clock.now() / 1_000);
    const ids = { sub: account, sid: uuidV7(clock.now()), jti: uuidV7(clock.now()) };
    const claims = { iss: terms.issuer, aud: terms.audience, ...ids, iat, exp: iat + 3_600, ...changes };
    return { ...claims, text: signToken(key, headerOf(key), claims) };
  }

  async function reset(): Promise<void> {
    cutDatabase(false);
    for (const deaf of opened.splice(0)) await deaf.stop();
  }

  async function stop(): Promise<void> {
    await reset();
    for (const service of [credentials, notifications, database, owner]) await service.stop();
    await server.drop();
  }

  const openDeaf = () => openWith({ on: () => undefined });
  const open = (config: Partial<CredentialsConfig>) => make(notifications, config);
  const answerTo = (authorization: string | undefined, by = credentials) => answer(by, authorization);
  const parts = { owner, clock, realTime, account, operatorToken, signing, credentials, cutDatabase, statements };
  const createKey = (limits?: Parameters<AuthRows['createKey']>[1]) => rows.createKey(account, limits);
  const createSession = () => rows.createSession(account);
  const written = { createKey, createSession, publishKey, revokeKey, endSession, suspend, resume };
  return { ...written, ...parts, workerUrl, open, openWith, openDeaf, createToken, answerTo, reset, stop };
}

async function answer(by: Credentials, authorization: string | undefined): Promise<Principal | string> {
  try {
    return await by.authenticate(authorization);
  } catch (error) {
    const { kind, code } = error as { kind: string; code: string }; // another error shows as undefined
    return `${kind} ${code}`;
  }
}

function withSwitch(real: Database) {
  let isCut = false;
  const sent: string[] = [];
  const database: Database = {
    ...real,
    async query(statement, values) {
      sent.push(typeof statement === 'string' ? statement : statement.text);
      if (isCut) throw Object.assign(new Error('connection refused'), { kind: 'unavailable', code: 'unavailable' });
      return real.query(statement, values);
    },
  };
  const cutDatabase = (isDown: boolean): void => {
    isCut = isDown;
  };
  return { database, cutDatabase, statements: () => sent };
}
