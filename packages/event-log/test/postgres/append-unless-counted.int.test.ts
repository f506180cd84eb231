import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createPostgresEventLog, type PostgresEventLog } from '../../src/postgres.ts';

const topic = 'unless-counted.v1';

describe('an append to the log in PostgreSQL, unless events are counted', () => {
  let database: TestDatabase;
  let owner: OracleDatabase;
  let eventLog: PostgresEventLog;

  beforeAll(async () => {
    database = await testDatabase();
    owner = await connectOracleDatabase(database.ownerUrl);
    eventLog = createPostgresEventLog({
      appendUrl: database.urlFor('ingest_gateway_worker'),
      readUrl: database.urlFor('aggregator_worker'),
      topics: { [topic]: 2 },
      clock: systemClock,
      log: createLogger({ name: 'test', level: 'silent' }),
    });
    await eventLog.start();
  });
  afterAll(async () => {
    await eventLog.stop();
    await owner.end();
    await database.drop();
  });

  const batchOf = (value: string) => [{ key: randomUUID(), value: Buffer.from(value) }];
  const read = async (): Promise<string[]> => {
    const values: string[] = [];
    const reader = { onRecord: ({ value }: { value: Uint8Array }) => void values.push(Buffer.from(value).toString()) };
    await eventLog.readUncounted(topic, reader);
    return values;
  };
  const countedId = randomUUID();
  beforeAll(async () => {
    const key = [countedId, randomUUID(), randomBytes(16)];
    await owner.query(
      'insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at) values ($1, $2, $3, now())',
      key,
    );
  });

  it('appends if no event of the ids is counted, and otherwise nothing', async () => {
    const many = Array.from({ length: 450 }, () => randomUUID());
    expect(await eventLog.appendUnlessCounted(topic, batchOf('none counted'), many)).toHaveLength(1);
    for (const place of [0, 200, 450]) {
      const ids = many.toSpliced(place, 0, countedId);
      expect(await eventLog.appendUnlessCounted(topic, batchOf('one counted'), ids)).toBeUndefined();
    }
    expect(await read()).toContain('none counted');
    expect(await read()).not.toContain('one counted');
  });

  /** It would wait for so long for any other lock. */
  const poolsPatienceMs = 2_000;

  it('F251 appends nothing while the key table is locked, and says so soon', async () => {
    await owner.query('begin; lock table usage.event_key in access exclusive mode');
    try {
      const append = async () =>
        expect(await eventLog.appendUnlessCounted(topic, batchOf('locked'), [randomUUID()])).toBeUndefined();
      await bestRunBelow(poolsPatienceMs, () => msOf(append));
    } finally {
      await owner.query('rollback');
    }
    expect(await read()).not.toContain('locked');
  });

  it('F251 looks no further once the key table has been slow', async () => {
    const view = 'create or replace view usage.event_key_v1 with (security_invoker = true) as';
    const [own] = (await owner.query<{ text: string }>(`select pg_get_viewdef('usage.event_key_v1') as text`)).rows;
    const keys = own?.text.replace(';', '') ?? '';
    await owner.query(`${view} select k.* from (select pg_sleep(0.01)) as pause cross join lateral (${keys}) k`);
    const ids = Array.from({ length: 101 }, () => randomUUID()); // one more than the first look takes
    try {
      expect(await eventLog.appendUnlessCounted(topic, batchOf('slow'), ids)).toBeUndefined();
    } finally {
      await owner.query(`${view} ${keys}`);
    }
    expect(await read()).not.toContain('slow');
  });

  it('waits for another append, which holds the row of the partition, as an append does', async () => {
    await owner.query('begin; select from event_log.partition for update');
    const waiting = eventLog.appendUnlessCounted(topic, batchOf('waited'), [randomUUID()]);
    await new Promise((resolve) => setTimeout(resolve, 400)); // longer than it waits for the key table
    await owner.query('rollback');
    expect(await waiting).toHaveLength(1);
  });
});
