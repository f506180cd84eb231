import { afterAll, beforeAll } from '@jest/globals';
import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';
import type { Problem } from '@tollgate/contracts/forms/problem';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import type { OutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpAnswer, type HttpClient } from '@tollgate/testkit/http-client';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { configSchema, type Config } from '../../src/config.ts';
import { createAuth } from '../../src/service.ts';

export interface AuthUnderTest extends Calls {
  readonly baseUrl: string;
  readonly clock: MovableClock;
  /** The clock of authenticator apps. */
  readonly realTime: MovableClock;
  readonly config: Config;
  readonly database: TestDatabase;
  /** Connects as the owner, whom row-level policies do not bind. */
  readonly owner: Database;
  /** How many statements wait for a lock of another transaction. */
  waitingForLocks(): Promise<number>;
  /** Everything that was logged so far, at every level. */
  logged(): string;
  /** Safe to repeat. */
  stop(): Promise<void>;
}

export interface AuthSuite extends AuthUnderTest {
  /** Starts another process with the same database and the same clock. The suite stops it, unless the test does. */
  startBeside(options?: Options): Promise<AuthUnderTest>;
  /** Connects as a role of the database, such as `auth_api`, until the suite ends. */
  connectAs(role: string): Database;
}

interface Calls {
  /** Compares every answer with the OpenAPI document. */
  readonly send: HttpClient;
  post<Body = Problem>(path: string, body?: unknown, token?: string): Promise<HttpAnswer<Body>>;
  /** A new account with a session. */
  signUp(email?: string): Promise<SignedUp>;
  login(credentials: unknown): Promise<HttpAnswer<TokenBody>>;
  refresh(token: string): Promise<HttpAnswer<TokenBody>>;
  logout(token: string): Promise<HttpAnswer<Problem>>;
  me(token: string): Promise<HttpAnswer<AccountBody>>;
  createKey(token: string, name?: string): Promise<KeyBody>;
  /** Waits for the news of a revocation. How soon it comes is measured in runtime’s news-in-time.int.test.ts. */
  untilRefused(token: string): Promise<void>;
}

export interface SignedUp {
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface AccountBody {
  readonly account_id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly email_bounced_at: string | null;
}

export interface TokenBody {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

export interface KeyBody {
  readonly id: string;
  readonly key: string;
}

interface Options {
  readonly outgoingFetch?: OutgoingFetch | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The service for the tests of a file: the whole of it over real sockets, with a database of its own. */
export function authSuite(options: Options = {}): AuthSuite {
  const suite = {} as AuthSuite; // beforeAll completes it
  const others: { stop(): Promise<void> }[] = [];

  async function startBeside(besideOptions: Options = {}): Promise<AuthUnderTest> {
    const other = await startAuth(suite, besideOptions);
    others.push(other);
    return other;
  }

  function connectAs(role: string): Database {
    const log = createLogger({ name: 'test', level: 'silent' });
    const database = createDatabase({ url: suite.database.urlFor(role), name: `test-${role}`, log });
    others.push(database);
    return database;
  }

  beforeAll(async () => {
    const parts = {
      database: await testDatabase(),
      clock: createMovableClock(),
      realTime: createMovableClock(),
      startBeside,
      connectAs,
    };
    Object.assign(suite, parts, await startAuth(parts, options));
  });
  afterAll(async () => {
    for (const service of [...others, suite]) await service.stop();
    await suite.database.drop();
  });
  return suite;
}

export const operatorToken = 'the-operator-of-these-tests-nobody-else';

/** A wrong answer shows its whole body beside this. */
export const refusal = (status: number, code: string) => ({ status, body: { code } });

const answerCheck = createAnswerCheck(createOpenApiDocument({ version: '0.0.0' }));

async function startAuth(
  { database, clock, realTime }: Pick<AuthUnderTest, 'database' | 'clock' | 'realTime'>,
  { settings, outgoingFetch }: Options,
): Promise<AuthUnderTest> {
  const config = configFor(database, settings);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ name: 'auth', level: 'trace', destination });
  const auth = createAuth(config, { clock, realTime, log, outgoingFetch });
  await auth.start();
  const server = await serveHttp(auth.handle);
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', maxConnections: 2, log });
  const stopAll = async (): Promise<void> => {
    await server.close();
    await auth.stop();
    await owner.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    ...createCalls(createHttpClient({ baseUrl: server.baseUrl, answerCheck })),
    baseUrl: server.baseUrl,
    clock,
    realTime,
    config,
    database,
    owner,
    async waitingForLocks() {
      const waiting =
        'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()';
      return (await owner.query(waiting)).length;
    },
    logged: () => lines.join(''),
    stop: () => (stopped ??= stopAll()),
  };
}

function configFor(database: TestDatabase, settings: Readonly<Record<string, string>> = {}): Config {
  return loadConfig(configSchema, {
    DATABASE_API_URL: database.urlFor('auth_api'),
    DATABASE_WORKER_URL: database.urlFor('auth_worker'),
    AUTH_KEY_ENCRYPTION_SECRET: 'a secret for tests, of more than 32 characters',
    LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE: '1000',
    LOGINS_PER_ADDRESS_PER_MINUTE: '10000',
    REGISTRATIONS_PER_ADDRESS_PER_MINUTE: '10000',
    OAUTH_CLIENTS_PER_ADDRESS_PER_MINUTE: '1000',
    OPERATOR_TOKEN: operatorToken,
    WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE: '1000',
    ...settings,
  });
}

let accounts = 0;

function createCalls(send: HttpClient): Calls {
  const post: Calls['post'] = (path, body, token) =>
    send('POST', path, { ...(token !== undefined && { token }), ...(body !== undefined && { body }) });
  const me: Calls['me'] = (token) => send('GET', '/v1/auth/me', { token });
  return {
    send,
    post,
    async signUp(email = `ada${++accounts}@example.com`) {
      const password = `correct horse ${email.length} battery`;
      const answer = await post<TokenBody>('/v1/auth/register', { email, password });
      if (answer.status !== 201) throw new Error(`registration answered ${answer.text}`);
      return { email, password, token: answer.body.access_token };
    },
    login: (credentials) => post('/v1/auth/login', credentials),
    refresh: (token) => post('/v1/auth/refresh', undefined, token),
    logout: (token) => post('/v1/auth/logout', undefined, token),
    me,
    createKey: async (token, name = 'k') => (await post<KeyBody>('/v1/api-keys', { name }, token)).body,
    untilRefused: async (token) =>
      void (await eventually(async () => (await me(token)).status === 401, { withinMs: 1_000 })),
  };
}
