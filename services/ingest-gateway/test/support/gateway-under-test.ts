import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { decodeUsageEvent, usageEventsTopic, type UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';
import { createDatabase, type Database } from '@tollgate/database/database';
import type { LogRecord } from '@tollgate/event-log/event-log';
import { createPostgresEventLog, type PostgresEventLog } from '@tollgate/event-log/postgres';
import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createHttpServer } from '@tollgate/runtime/http/serving/create-http-server';
import { startAll } from '@tollgate/runtime/lifecycle/start-all';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { createHttpClient, type HttpAnswer, type HttpClient } from '@tollgate/testkit/http-client';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { configSchema } from '../../src/config.ts';
import { createIngestGateway, type GatewayDeps } from '../../src/service.ts';

export interface TestAccount {
  readonly accountId: string;
  /** An API key of the account. */
  readonly token: string;
}

export interface ToolWish {
  readonly ownerId?: string;
  /** The metadata keys that its price sums. */
  readonly measures?: readonly string[];
}

/** The answer of `POST /v1/events`, or the problem in its place. */
export interface EventAnswer {
  readonly event_id: string;
  readonly tool_id: string;
  readonly status: string;
  readonly timestamp: string;
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

export interface Sender {
  /** Undefined: a new account, which has its whole allowance. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GatewayUnderTest {
  /** Checks every answer against /openapi.json. */
  readonly send: HttpClient;
  readonly port: number;
  /** Frozen; tests move it. */
  readonly clock: MovableClock;
  readonly database: TestDatabase;
  /** The database as its owner, without row-level policies. */
  readonly owner: Database;
  readonly eventLog: PostgresEventLog;
  /** `POST /v1/events` with this body: a text goes out unchanged, as JSON. */
  record(body: object | string, sender?: Sender): Promise<HttpAnswer<EventAnswer>>;
  newAccount(): Promise<TestAccount>;
  /** Another API key of the account. */
  newKey(accountId: string): Promise<string>;
  newTool(wish?: ToolWish): Promise<string>;
  archive(toolId: string): Promise<void>;
  /** Every record of the log. */
  appended(): Promise<UsageEventRecord[]>;
  metrics(): Promise<string>;
  /** Everything that was logged so far, at every level. */
  logged(): string;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** Uses this gateway's database and clock, with an event log of its own. */
  readonly beside?: GatewayUnderTest;
  /** Used in place of a new one; it is dropped at the end all the same. */
  readonly database?: TestDatabase;
  readonly settings?: Readonly<Record<string, string>>;
  /** Takes the gateway's appends in place of the log in PostgreSQL. The test starts and stops it. */
  readonly appendsTo?: GatewayDeps['eventLog'];
  /** Monotonic time that the test moves, for limits that must not depend on a busy machine. */
  readonly monotonic?: { nowMs: number };
}

/** Whether the answer repeats an earlier one. */
export function isReplay({ headers }: { readonly headers: Headers }): boolean {
  return headers.get('idempotent-replayed') === 'true';
}

const startOfTests = '2026-11-21T12:34:56.789Z';
const answerCheck = createAnswerCheck(createOpenApiDocument({ version: '0.0.0' }));

/** Refuses a record that a reader in this process would be handed with another meaning than its bytes have. */
function checkRecords(eventLog: PostgresEventLog): PostgresEventLog {
  const checked = (records: readonly LogRecord[]): readonly LogRecord[] => {
    for (const { value, decoded } of records) {
      if (decoded !== undefined) expect(decodeUsageEvent(value)).toEqual({ ok: true, record: decoded });
    }
    return records;
  };
  return {
    ...eventLog,
    append: (topic, records) => eventLog.append(topic, checked(records)),
    appendUnlessCounted: (topic, records, eventIds) => eventLog.appendUnlessCounted(topic, checked(records), eventIds),
  };
}

/** The whole service over real sockets, on a database of its own, which holds the log too. */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayUnderTest> {
  const { beside, settings, monotonic, appendsTo, ...given } = options;
  const database = beside?.database ?? given.database ?? (await testDatabase());
  const clock = beside?.clock ?? createMovableClock(Date.parse(startOfTests), { isFrozen: true });
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
  const gateway = createIngestGateway(config, {
    eventLog: appendsTo ?? checkRecords(eventLog),
    clock: gatewayClock,
    log,
    metrics,
  });
  const server = createHttpServer(gateway.handle, {
    host: '127.0.0.1',
    port: 0,
    log,
    lingerMs: 0,
    readiness: gateway.readiness,
    showsChecks: true,
  });
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', log });
  const rows = createAuthRows(owner);
  const newKey = async (accountId: string) => (await rows.createKey(accountId)).key;
  const newAccount = async () => {
    const accountId = await rows.createAccount();
    const token = await newKey(accountId);
    await send('GET', '/v1/events', { token }); // known keys go on the line (record-line.ts), as most do
    return { accountId, token };
  };
  await startAll([eventLog, gateway, server], () => undefined).catch(async (error: unknown) => {
    await owner.stop();
    throw error;
  });
  const { port } = server.address();
  const send = createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, answerCheck });
  return {
    send,
    port,
    clock,
    database,
    owner,
    eventLog,
    async record(body, { token, headers } = {}) {
      const sender = { token: token ?? (await newAccount()).token };
      const json = { 'content-type': 'application/json', ...headers };
      const sent = typeof body === 'string' ? { rawBody: body, headers: json } : { body, ...(headers && { headers }) };
      return send<EventAnswer>('POST', '/v1/events', { ...sender, ...sent });
    },
    newAccount,
    newKey,
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

/** Billing would create the same rows. Of the price, the gateway reads the measures alone. */
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

/** No aggregator counts in these tests, so the uncounted tail is the whole log. */
async function readAll(eventLog: PostgresEventLog): Promise<UsageEventRecord[]> {
  const records: UsageEventRecord[] = [];
  const onRecord = ({ value }: { readonly value: Uint8Array }) => {
    records.push(JSON.parse(Buffer.from(value).toString('utf8')) as UsageEventRecord); // written by the gateway
  };
  await eventLog.readUncounted(usageEventsTopic, { onRecord });
  return records;
}
