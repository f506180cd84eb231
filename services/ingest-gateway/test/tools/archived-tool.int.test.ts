import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createToolDirectory } from '../../src/tools/tool-directory.ts';

const log = createLogger({ name: 'test', level: 'silent' });

let database: TestDatabase;
let owner: Database;
let worker: Database;

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
