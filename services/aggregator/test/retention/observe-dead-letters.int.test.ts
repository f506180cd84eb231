import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createObserveDeadLetters } from '../../src/retention/observe-dead-letters.ts';

const log = createLogger({ name: 'observe-dead-letters', level: 'silent' });
let test: TestDatabase;
let owner: Database;
let worker: Database;

beforeAll(async () => {
  test = await testDatabase();
  owner = createDatabase({ url: test.ownerUrl, name: 'owner', log });
  worker = createDatabase({ url: test.urlFor('aggregator_worker'), name: 'worker', log });
});
afterAll(async () => {
  await worker.stop();
  await owner.stop();
  await test.drop();
});

it('shows the records that were neither counted nor replayed, by code', async () => {
  for (const [offset, code, replayedAt] of [
    [1, 'invalid_record', null],
    [2, 'invalid_record', null],
    [3, 'idempotency_conflict', null],
    [4, 'invalid_record', '2026-05-01T00:00:00Z'],
  ] as const) {
    await owner.query(
      `insert into usage.dead_letter (topic, partition, log_offset, code, reason, stored_at, record, replayed_at,
         replayed_to_partition, replayed_to_offset)
       values ('usage.events.v1', 0, $1, $2, 'why', now(), '', $3, $4::int, $4::int)`,
      [offset, code, replayedAt, replayedAt === null ? null : 9],
    );
  }
  const metrics = createMetrics({ service: 'aggregator' });
  const observing = createObserveDeadLetters({ database: worker, metrics, log });
  await observing.start();
  const shown = async () =>
    (await metrics.registry.getSingleMetric('tollgate_aggregator_dead_letters')?.get())?.values ?? [];
  await eventually(async () => (await shown()).length > 0, { withinMs: 5_000 });
  await observing.stop();
  expect(await shown()).toEqual(
    expect.arrayContaining([
      { labels: { code: 'invalid_record' }, value: 2 },
      { labels: { code: 'idempotency_conflict' }, value: 1 },
    ]),
  );
});
