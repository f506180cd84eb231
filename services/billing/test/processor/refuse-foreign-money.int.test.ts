import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { refuseForeignMoney } from '../../src/processor/refuse-foreign-money.ts';

let under: TestDatabase;
let worker: Database;

beforeAll(async () => {
  under = await testDatabase();
  const log = createLogger({ name: 'test', level: 'silent' });
  worker = createDatabase({ url: under.urlFor('billing_worker'), name: 'test-worker', log });
});
afterAll(async () => {
  await worker.stop();
  await under.drop();
});

it('starts on books without money, and on those of its own processor, and refuses those of another', async () => {
  await refuseForeignMoney({ database: worker, processor: 'stripe' }).start();
  await worker.query(
    `insert into billing.processor_attempt (attempt_id, kind, subject_id, number, processor, idempotency_key, amount_cents,
       party_id, status, started_at)
     values (gen_random_uuid(), 'transfer', gen_random_uuid(), 1, 'sandbox', 'key', 100, 'acct_1', 'unknown', now())`,
  );
  await refuseForeignMoney({ database: worker, processor: 'sandbox' }).start();
  await expect(refuseForeignMoney({ database: worker, processor: 'stripe' }).start()).rejects.toThrow(
    /PROCESSOR.* is stripe, but money in this database was moved by sandbox/,
  );
});
