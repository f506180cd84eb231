import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseUsd } from '@tollgate/kernel/money';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { lockBuilderGross, setBuilderGross } from '../../src/fees/sql-builder-gross.ts';
import { isLockAwaited } from '../support/is-lock-awaited.ts';

const log = createLogger({ name: 'builder-gross-test', level: 'silent' });
const builderId = '0000000a-0000-4000-8000-000000000000';
const january = { builderId, grossKey: '2026-01' };
const february = { builderId, grossKey: '2026-02' };

let testing: TestDatabase;
let worker: Database;

beforeAll(async () => {
  testing = await testDatabase();
  worker = createDatabase({ url: testing.urlFor('billing_worker'), name: 'test-worker', log });
});

afterAll(async () => {
  await worker.stop();
  await testing.drop();
});

it('F54 who has waited for a builder’s gross sees the months that came meanwhile', async () => {
  await worker.transaction((tx) => lockBuilderGross(tx, [january]));
  const released = new Map([[builderId, new Map([['2026-02', parseUsd('2000')]])]]);
  let waiting: ReturnType<typeof lockBuilderGross> | undefined;
  await worker.transaction(async (tx) => {
    await lockBuilderGross(tx, [february]);
    await setBuilderGross(tx, released);
    waiting = worker.transaction((other) => lockBuilderGross(other, [january]));
    await eventually(() => isLockAwaited(worker), { withinMs: 5_000 });
  });
  expect((await waiting)?.get(builderId)).toEqual(
    new Map([
      ['2026-01', parseUsd('0')],
      ['2026-02', parseUsd('2000')],
    ]),
  );
});
