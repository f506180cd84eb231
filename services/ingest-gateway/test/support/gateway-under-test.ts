import { randomBytes, randomUUID } from 'node:crypto';
import { createOpenApiDocument } from '@tollgate/contracts/openapi';
import { usageEventsTopic, type UsageEventRecord } from '@tollgate/contracts/event-record';
import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createPostgresEventLog, type PostgresEventLog } from '@tollgate/event-log/postgres';
import { createHttpServer } from '@tollgate/runtime/http/create-http-server';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { configSchema } from '../../src/config.ts';
import { createIngestGateway } from '../../src/service.ts';

export interface TestAccount {
  readonly accountId: string;
  /** An API key of it. */
  readonly token: string;
}

export interface ToolWish {
  readonly ownerId?: string;
  /** The metadata keys that its price sums. */
  readonly measures?: readonly string[];
}

export interface GatewayUnderTest {
  /** Every answer is held to /openapi.json. */
  readonly send: HttpClient;
  readonly port: number;
  /** Stands still; tests move it. */
  readonly clock: MovableClock;
  readonly database: TestDatabase;
  /** The database as its owner: no row-level policy binds it. */
  readonly owner: Database;
  readonly eventLog: PostgresEventLog;
  newAccount(): Promise<TestAccount>;
  newTool(wish?: ToolWish): Promise<string>;
  archive(toolId: string): Promise<void>;
  /** Everything in the log, as it was appended. */
  appended(): Promise<UsageEventRecord[]>;
  metrics(): Promise<string>;
  /** All that was logged so far, at every level. */
  logged(): string;
  stop(): Promise<void>;
}

interface Options {
  /** Beside another one: the same database and clock, and a log of its own. */
  readonly beside?: GatewayUnderTest;
  /** One's own, dropped in the end all the same. */
  readonly database?: TestDatabase;
  readonly settings?: Readonly<Record<string, string>>;
  /** Monotonic time as the test moves it, for limits that must not depend on how busy the machine is. */
  readonly monotonic?: { nowMs: number };
}

const startOfTests = '2026-11-21T12:34:56.789Z';
const answerCheck = createAnswerCheck(createOpenApiDocument({ version: '0.0.0' }));

/** The whole service over real sockets, a database of its own and the log in it. */
export async function startGateway({ beside, settings, monotonic, ...given }: Options = {}): Promise<GatewayUnderTest> {
  const database = beside?.database ?? given.database ?? (await testDatabase());
  const clock = beside?.clock ?? createMovableClock(Date.parse(startOfTests));
  if (beside === undefined) clock.freeze(true);
  const lines: string[] = [];
  const log = createLogger({
    name: 'gateway',
    level: 'trace',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const metrics = createMetrics({ service: 'ingest-gateway' });
  const workerUrl = database.urlFor('ingest_gateway_worker');
  const topics = { [usageEventsTopic]: 4 };
  const eventLog = createPostgresEventLog({
    appendUrl: workerUrl,
    readUrl: database.urlFor('aggregator_worker'),
    topics,
    clock,
    log,
  });
  const config = loadConfig(configSchema, {
    DATABASE_API_URL: database.urlFor('ingest_gateway_api'),
    DATABASE_WORKER_URL: workerUrl,
    ...settings,
  });
  const gatewayClock = monotonic ? { now: clock.now, monotonicMs: () => monotonic.nowMs } : clock;
  const gateway = createIngestGateway(config, { eventLog, clock: gatewayClock, log, metrics });
  const server = createHttpServer(gateway.handle, {
    host: '127.0.0.1',
    port: 0,
    log,
    lingerMs: 0,
    readiness: gateway.readiness,
  });
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', log });
  for (const part of [eventLog, gateway, server]) await part.start();
  const { port } = server.address();
  return {
    send: createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, answerCheck }),
    port,
    clock,
    database,
    owner,
    eventLog,
    newAccount: () => createAccount(owner),
    newTool: (wish) => createTool(owner, wish),
    archive: (toolId) => archiveTool(owner, toolId),
    appended: () => readAll(eventLog),
    metrics: () => metrics.registry.metrics(),
    logged: () => lines.join(''),
    async stop() {
      for (const part of [server, gateway, eventLog, owner]) await part.stop();
      if (beside === undefined) await database.drop();
    },
  };
}

/** As auth would make one; the password can never be guessed, it is not a hash. */
async function createAccount(owner: Database): Promise<TestAccount> {
  const accountId = randomUUID();
  const token = createApiKey();
  const { prefix, lastFour } = partsOfApiKey(token);
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  await owner.query(
    `insert into auth.account (account_id, email, password_hash, password_changed_at, created_at) values ($1, $2, 'none', $3, $3)`,
    [accountId, email, startOfTests],
  );
  await owner.query(
    `insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at) values ($1, $2, 'test', $3, $4, $5, $6)`,
    [randomUUID(), accountId, hashApiKey(token), prefix, lastFour, startOfTests],
  );
  return { accountId, token };
}

/** As billing would register one; its price matters here by its measures alone. */
async function createTool(owner: Database, { ownerId = randomUUID(), measures = [] }: ToolWish = {}): Promise<string> {
  const toolId = `tool-${randomBytes(6).toString('hex')}`;
  await owner.query(
    `with tool as (insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, 'Tool', $3))
     insert into billing.tool_price (price_id, tool_id, price, measures, created_at) values ($4, $1, '{}', $5, $3)`,
    [toolId, ownerId, startOfTests, randomUUID(), measures],
  );
  return toolId;
}

async function archiveTool(owner: Database, toolId: string): Promise<void> {
  await owner.query('update billing.tool set archived_at = $2 where tool_id = $1', [
    toolId,
    toIso(Date.parse(startOfTests)),
  ]);
}

/** Nothing counts in these tests, so all of the log is its uncounted tail. */
async function readAll(eventLog: PostgresEventLog): Promise<UsageEventRecord[]> {
  const records: UsageEventRecord[] = [];
  const onRecord = ({ value }: { readonly value: Uint8Array }) => {
    records.push(JSON.parse(Buffer.from(value).toString('utf8')) as UsageEventRecord); // written by the gateway
  };
  await eventLog.readUncounted(usageEventsTopic, { onRecord });
  return records;
}
