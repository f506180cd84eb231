import { createOpenApiDocument } from '@tollgate/contracts/openapi';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { configSchema, type Config } from '../../src/config.ts';
import { createAuth } from '../../src/service.ts';

export interface AuthUnderTest {
  /** Every answer is held to the OpenAPI document. */
  readonly send: HttpClient;
  readonly baseUrl: string;
  readonly clock: MovableClock;
  readonly config: Config;
  readonly database: TestDatabase;
  /** As the owner, whom row-level policies do not bind. */
  readonly owner: Database;
  /** All that was logged so far, at every level. */
  logged(): string;
  /** A new account with a session. */
  signUp(email?: string): Promise<SignedUp>;
  stop(): Promise<void>;
}

export interface SignedUp {
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface TokenBody {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

interface Options {
  /** Beside another instance: the same database, and the same clock. */
  readonly beside?: AuthUnderTest;
  readonly settings?: Readonly<Record<string, string>>;
}

const answerCheck = createAnswerCheck(createOpenApiDocument({ version: '0.0.0' }));
let accounts = 0;

/** The whole service over real sockets and a database of its own. */
export async function startAuth({ beside, settings }: Options = {}): Promise<AuthUnderTest> {
  const database = beside?.database ?? (await testDatabase());
  const clock = beside?.clock ?? createMovableClock();
  const config = configFor(database, settings);
  const lines: string[] = [];
  const log = createLogger({
    name: 'auth',
    level: 'trace',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const auth = createAuth(config, { clock, log });
  await auth.start();
  const server = await serveHttp(auth.handle);
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', maxConnections: 2, log });
  const send = createHttpClient({ baseUrl: server.baseUrl, answerCheck });
  return {
    send,
    baseUrl: server.baseUrl,
    clock,
    config,
    database,
    owner,
    logged: () => lines.join(''),
    signUp: (email) => signUp(send, email),
    async stop() {
      await server.close();
      await auth.stop();
      await owner.stop();
      if (beside === undefined) await database.drop();
    },
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
    ...settings,
  });
}

async function signUp(send: HttpClient, email = `ada${++accounts}@example.com`): Promise<SignedUp> {
  const password = `correct horse ${email.length} battery`;
  const answer = await send<TokenBody>('POST', '/v1/auth/register', { body: { email, password } });
  if (answer.status !== 201) throw new Error(`registration answered ${answer.text}`);
  return { email, password, token: answer.body.access_token };
}
