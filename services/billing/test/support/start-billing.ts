import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';
import { toIso, type MovableClock } from '@tollgate/kernel/clock';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { testDatabase } from '@tollgate/testkit/postgres';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createSandboxClock } from '@tollgate/runtime/sandbox-clock/create-sandbox-clock';
import { configSchema } from '../../src/config.ts';
import { wireInvoicing } from '../../src/invoicing/wire.ts';
import { moneySettingsOf } from '../../src/money-settings.ts';
import { createBilling } from '../../src/service.ts';
import { frozenClock } from './frozen-clock.ts';
import { minimumMicros } from './invoicing-fixture.ts';
import { silentLog } from './silent-log.ts';

export interface TestAccount {
  readonly accountId: string;
  /** An API key of it. */
  readonly token: string;
}

export interface BillingUnderTest {
  readonly baseUrl: string;
  /** Every answer is held to /openapi.json. */
  readonly send: HttpClient;
  /** Stands still; tests move it. */
  readonly clock: MovableClock;
  /** The database as its owner: no row-level policy binds it. */
  readonly owner: Database;
  /** The address of the database for a role, under its row-level policies. */
  urlFor(role: string): string;
  newAccount(): Promise<TestAccount>;
  /** Registers a tool of this account; one cent per call if nothing is said of the price. Answers its slug. */
  newTool(account: TestAccount, tool?: { readonly slug?: string; readonly price?: object }): Promise<string>;
  /** As the service does by itself, twice a minute. */
  closeDuePeriods(): Promise<void>;
  stop(): Promise<void>;
}

export const startOfTests = '2026-11-21T12:34:56.789Z';

export const testWebhookSecret = 'what signs the webhooks of these tests';

export const operatorToken = 'the-operator-of-these-tests-nobody-else';

interface Options {
  /** The settings that differ from the tests' usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lets the operator move the clock, which begins as the tests' and stands no more once it was moved. */
  readonly hasSandboxClock?: boolean;
  /** Where its lines go; nowhere, if not given. */
  readonly log?: Logger;
}

/** One billing service for all tests of a file: started before them and stopped after them. */
export function useBilling(options?: Options): BillingUnderTest {
  const suite = {} as BillingUnderTest; // beforeAll completes it
  beforeAll(async () => {
    Object.assign(suite, await startBilling(options));
  });
  afterAll(() => suite.stop());
  return suite;
}

/** The whole service over real sockets and a database of its own. */
export async function startBilling({
  settings,
  hasSandboxClock,
  log = silentLog,
}: Options = {}): Promise<BillingUnderTest> {
  const database = await testDatabase();
  const clock = frozenClock(startOfTests);
  const environment = {
    DATABASE_API_URL: database.urlFor('billing_api'),
    DATABASE_WORKER_URL: database.urlFor('billing_worker'),
    SANDBOX_WEBHOOK_SECRET: testWebhookSecret,
    OPERATOR_TOKEN: operatorToken,
    ...settings,
  };
  const url = environment.DATABASE_WORKER_URL;
  const sandboxClock = hasSandboxClock ? createSandboxClock({ url, part: 'alone', machine: clock, log }) : undefined;
  const deps = { clock: sandboxClock ?? clock, sandboxClock, log };
  const config = loadConfig(configSchema, environment);
  const billing = createBilling(config, deps);
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', statementTimeoutMs: 120_000, log });
  const { issuer } = moneySettingsOf(config);
  const invoicing = { api: owner, worker: owner, jobs: owner, minimumMicros, issuer, clock, log };
  const { closeDuePeriods } = wireInvoicing(invoicing);
  await sandboxClock?.start();
  await billing.start();
  const server = await serveHttp(billing.handle);
  const answerCheck = createAnswerCheck(createOpenApiDocument({ version: '0.0.0' }));
  const send = createHttpClient({ baseUrl: server.baseUrl, answerCheck });
  return {
    baseUrl: server.baseUrl,
    send,
    clock,
    owner,
    urlFor: database.urlFor,
    newAccount: () => createAccount(owner),
    async newTool({ token }, { slug = `tool-${randomUUID()}`, price = { per_call_usd: '0.01' } } = {}) {
      const { status, text } = await send('POST', '/v1/tools', { token, body: { slug, name: slug, price } });
      if (status !== 201) throw new Error(text);
      return slug;
    },
    closeDuePeriods: async () => void (await closeDuePeriods(clock.now())),
    async stop() {
      await server.close();
      await billing.stop();
      await sandboxClock?.stop();
      await owner.stop();
      await database.drop();
    },
  };
}

/** As auth would make one; the password can never be guessed, it is not a hash. */
async function createAccount(owner: Database): Promise<TestAccount> {
  const accountId = randomUUID();
  const token = createApiKey();
  const { prefix, lastFour } = partsOfApiKey(token);
  const now = toIso(Date.parse(startOfTests));
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  await owner.query(
    `insert into auth.account (account_id, email, password_hash, password_changed_at, created_at) values ($1, $2, 'none', $3, $3)`,
    [accountId, email, now],
  );
  await owner.query(
    `insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at) values ($1, $2, 'test', $3, $4, $5, $6)`,
    [randomUUID(), accountId, hashApiKey(token), prefix, lastFour, now],
  );
  return { accountId, token };
}
