import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, createDatabase } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { type TestDatabase, testDatabase } from '@tollgate/testkit/postgres';
import { createToolDirectory } from '../../src/tools/tool-directory.ts';
import { randomUUID } from 'node:crypto';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { type HttpClient, createHttpClient } from '@tollgate/testkit/http-client';
import { type ServiceProcess, startServiceProcess } from '@tollgate/testkit/service-process';
import { buildStandalone } from '@tollgate/testkit/standalone-process';

const log = createLogger({ name: 'test', level: 'silent' });

let database: TestDatabase;
let owner: Database;
let worker: Database;

const toolsMax = 200_000;

/** The settings bound the tools in memory; all of them would not fit into the heap. */
const settings = { TOOLS_REMEMBERED_MAX: '1000', NODE_OPTIONS: '--max-old-space-size=80' };
let gateway: ServiceProcess;
let send: HttpClient;
let token: string;

const record = (tool: string, metadata: object = { tokens: 1 }) =>
  send<{ code?: string }>('POST', '/v1/events', { token, body: { tool_id: tool, metadata } });

describe('archived tool', () => {
  beforeAll(async () => {
    database = await testDatabase();
    owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', log });
    worker = createDatabase({ url: database.urlFor('ingest_gateway_worker'), name: 'test-worker', log });
    await owner.query(
      `insert into billing.tool (tool_id, owner_id, name, created_at) values ('translate', gen_random_uuid(), 'T', now())`,
    );
  });

  afterAll(async () => {
    await worker?.stop();
    await owner?.stop();
    await database?.drop();
  });

  it('F159 forgets an archived tool when it is notified, though it cannot read the catalogue', async () => {
    const notifications = createNotifications({ url: database.urlFor('ingest_gateway_worker'), log });
    const tools = createToolDirectory({ database: worker, notifications, clock: systemClock, log, toolsMax: 10 });
    await notifications.start();
    await tools.start();
    try {
      expect(tools.known('translate')).toBeDefined();
      await owner.transaction(async (tx) => {
        await tx.query('lock table billing.tool'); // until the transaction ends, no reading does
        await owner.query(`select pg_notify('tools_changed', 'translate')`);
        await eventually(() => tools.known('translate') === undefined, { withinMs: 1_000 });
      });
    } finally {
      await tools.stop();
      await notifications.stop();
    }
  });
});

describe('F141 a gateway beside 200,000 tools', () => {
  beforeAll(async () => {
    await buildStandalone();
    database = await testDatabase();
    owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', statementTimeoutMs: 120_000, log });
    await owner.query(
      `insert into billing.tool (tool_id, owner_id, name, created_at)
     select 'tool-' || n, gen_random_uuid(), 'Tool', now() from generate_series(1, ${toolsMax}) n`,
    );
    await owner.query(
      `insert into billing.tool_price (price_id, tool_id, price, measures, created_at)
     select gen_random_uuid(), tool_id, '{}', '{tokens}', now() from billing.tool`,
    );
    await owner.query('analyze billing.tool, billing.tool_price');
    const rows = createAuthRows(owner);
    token = (await rows.createKey(await rows.createAccount())).key;
    gateway = await startServiceProcess('ingest-gateway', {
      DATABASE_API_URL: database.urlFor('ingest_gateway_api'),
      DATABASE_WORKER_URL: database.urlFor('ingest_gateway_worker'),
      ...settings,
    });
    send = createHttpClient({ baseUrl: gateway.url });
  }, 240_000);

  afterAll(async () => {
    await gateway?.destroy();
    await owner.stop();
    await database.drop();
  });

  it('starts and serves in a heap of 80 MB, and knows each tool, the oldest too', async () => {
    for (let n = 1; n <= toolsMax; n += toolsMax / 50)
      expect([n, (await record(`tool-${n}`)).status]).toEqual([n, 201]);
    expect(await record('tool-0')).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    expect(await record('tool-1', { tokens: 'many' })).toMatchObject({ status: 400 }); // its price is known, too
  }, 120_000);

  it('hears within a second of changes, whether it remembers the tool or not', async () => {
    for (const tool of ['tool-1', 'tool-77777', `tool-${toolsMax}`]) {
      await owner.query('update billing.tool set archived_at = now() where tool_id = $1', [tool]);
      const isRefused = async () => (await record(tool)).status === 404;
      await eventually(isRefused, { withinMs: 1_000 });
    }
    const slug = `new-${randomUUID()}`;
    await owner.query(
      `insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, gen_random_uuid(), 'Tool', now())`,
      [slug],
    );
    expect(await record(slug)).toMatchObject({ status: 201 });
  }, 60_000);
});
