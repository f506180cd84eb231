import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { systemClock } from '@tollgate/kernel/clock';
import { createPostgresEventLog } from '@tollgate/event-log/postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';

import { openJournal, type JournalEntry } from '../../src/load/journal.ts';
import type { LoadEvent } from '../../src/load/load-event.ts';
import { readJournal } from '../../src/load/read-journal.ts';
import { testDatabase, type TestDatabase } from '../../src/postgres.ts';
import { checkCounting } from '../../src/oracles/check-counting.ts';
import { connectOracleDatabase, withOracleDatabase, type OracleDatabase } from '../../src/oracles/oracle-database.ts';
import { postgresLog } from '../../src/oracles/postgres-log.ts';
import { readRowsWithoutAccount } from '../../src/oracles/rows-without-account.ts';
import { sumCounted } from '../../src/oracles/sum-counted.ts';

const consumerId = '0193f0a0-0000-7000-8000-00000000000a';
const idOf = (ref: string) => `0193f0a0-0000-7000-8000-0000000000${ref}`;
const hour = '2026-11-21T12:00:00.000Z';
const hasItsOwnTime = '02';
const log = createLogger({ name: 'test', level: 'silent' });

/** An oracle that cannot say no proves nothing: everything that may go wrong is done to a database that is right. */
describe('checkCounting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-counting-'));
  let journals = 0;
  let test: TestDatabase;
  let client: OracleDatabase;
  beforeAll(async () => {
    test = await testDatabase();
    client = await connectOracleDatabase(test.ownerUrl);
    await append(test, ['01', '02']);
    await client.query(`select usage.ensure_day('2026-11-21')`);
  });
  beforeEach(async () => {
    await client.query('truncate usage.event, usage.event_key, usage.rollup, usage.pass_rollup, usage.dead_letter');
    await count('01');
    await count('02');
    await roll(2);
  });
  afterAll(async () => {
    await client.end();
    await test.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds nothing where all is right, and sums what /v1/usage must say', async () => {
    expect(await judge(['01', '02'].flatMap(acknowledged))).toEqual({
      acknowledged: 2,
      unknown: 0,
      counted: 2,
      lost: 0,
      doubled: 0,
      invented: 0,
      violations: [],
    });
    const sums = { calls: 2, durationMs: 10, unitMillionths: 3_000_000n };
    expect([...(await sumCounted(client))]).toEqual([[`weather ${consumerId} true`, sums]]);
    expect([...(await sumCounted(client, consumerId))]).toEqual([[`weather ${consumerId} true`, sums]]);
    expect([...(await sumCounted(client, idOf('99')))]).toEqual([]);
  });

  it('allows an event of unknown outcome to be counted, and not to be', async () => {
    const report = await judge([...acknowledged('01'), sent('02'), sent('03')]);
    expect(report).toMatchObject({ acknowledged: 1, unknown: 2, lost: 0, invented: 0, violations: [] });
  });

  it('finds a lost event', async () => {
    await client.query('delete from usage.event where event_id = $1', [idOf('02')]);
    await roll(1);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(report).toMatchObject({ lost: 1, doubled: 0, invented: 0 });
    expect(kindsOf(report)).toEqual(['lost', 'not counted']);
  });

  it('finds an acknowledged event that the log does not have', async () => {
    await count('03');
    await roll(3);
    const report = await judge(['01', '02', '03'].flatMap(acknowledged));
    expect(report.violations.join()).toContain(`not durable: ${idOf('03')}`);
    expect(kindsOf(report)).toEqual(['from nowhere', 'not durable']);
  });

  it('finds an event that is counted twice, at another time or under another id', async () => {
    await count('01', { at: '2026-11-21T12:00:01.000Z' });
    await count('03', { ref: '02' });
    await roll(4);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(report).toMatchObject({ lost: 0, doubled: 2, invented: 0 });
    const doubled = report.violations.filter((violation) => violation.startsWith('doubled')).toSorted();
    expect(doubled).toEqual([`doubled: id ${idOf('01')}, ref 01 is counted again`, 'doubled: ref 02 is counted again']);
  });

  it('finds an event that nobody sent, or that was only ever refused', async () => {
    const refused: JournalEntry[] = [sent('02'), { kind: 'refused', attempt: 1, ref: '02', reason: '429' }];
    expect(await judge([...acknowledged('01'), ...refused])).toMatchObject({ lost: 0, invented: 1 });
    expect(await judge(acknowledged('01'))).toMatchObject({ lost: 0, invented: 1 });
  });

  it.each([
    ['success = false'],
    [`metadata = metadata || '{"units": "1"}'`],
    [`idempotency_key = 'key'`],
    ['duration_ms = null'],
    [`occurred_at = occurred_at + interval '1 ms'`],
  ])('finds events that are counted as something else: %s', async (change) => {
    await client.query(`update usage.event set ${change}`);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(kindsOf(report).filter((kind) => kind === 'different')).toHaveLength(2);
  });

  it('finds an event that was acknowledged under two ids', async () => {
    const again: JournalEntry = { kind: 'acknowledged', attempt: 2, ref: '01', eventId: idOf('02'), timestamp: hour };
    const report = await judge([...acknowledged('01'), sent('01'), again, ...acknowledged('02')]);
    expect(kindsOf(report)).toEqual(['different']);
  });

  it('finds rollups that are not the sums of the events, keys without events, and dead letters', async () => {
    await roll(5);
    await client.query(`insert into usage.event_key values ($1, $2, '', now())`, [idOf('09'), consumerId]);
    await client.query(`insert into usage.dead_letter (topic, partition, log_offset, code, reason, stored_at, record)
      values ('t', 0, 0, 'code', 'reason', now(), '')`);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(report.doubled).toBe(3);
    expect(kindsOf(report)).toEqual([
      'a dead letter',
      'a key without its event',
      'only in the events',
      'only in the rollups',
    ]);
  });

  it('F95 finds an event that the rollups have for another pass', async () => {
    await client.query(`update usage.event set pass_id = consumer_id where event_id = '${idOf('02')}'`);
    await client.query(`insert into usage.pass_rollup values ($1, 'weather', $2, true, $1, 1, 5)`, [consumerId, hour]);
    await roll(1);
    expect(await judge(['01', '02'].flatMap(acknowledged))).toMatchObject({ doubled: 0, violations: [] });
    await client.query('update usage.pass_rollup set pass_id = gen_random_uuid()');
    expect(kindsOf(await judge(['01', '02'].flatMap(acknowledged)))).toEqual([
      'only in the events',
      'only in the rollups',
    ]);
  });

  async function judge(entries: readonly JournalEntry[]) {
    const journal = openJournal(join(folder, `journal-${(journals += 1)}.ndjson`));
    await journal.append(entries);
    await journal.close();
    return checkCounting(client, { journalPath: journal.path, log: postgresLog });
  }

  async function count(id: string, { ref = id, at = hour } = {}): Promise<void> {
    await client.query(
      `insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata)
       values ($1, $2, 'weather', $3, $3, true, 5, $4)`,
      [consumerId, idOf(id), at, { ref, units: '1.5' }],
    );
  }

  async function roll(calls: number): Promise<void> {
    await client.query('truncate usage.rollup');
    await client.query(`insert into usage.rollup values ($1, 'weather', $2, true, $3::bigint, 5 * $3::bigint)`, [
      consumerId,
      hour,
      calls,
    ]);
  }
});

describe('readRowsWithoutAccount', () => {
  it('sees what a role can see without acting for anybody', async () => {
    const test = await testDatabase();
    const rollup = `insert into usage.rollup values ($1, 'weather', $2, true, 1, 5)`;
    await withOracleDatabase(test.ownerUrl, (database) => database.query(rollup, [consumerId, hour]));
    const sum = (relations: readonly { rows: number }[]) => relations.reduce((total, { rows }) => total + rows, 0);
    const seen = await readRowsWithoutAccount(test.urlFor('billing_api'));
    expect(seen.map(({ name }) => name)).toContain('usage.rollup_v1');
    expect(sum(seen)).toBe(0);
    expect(sum(await readRowsWithoutAccount(test.urlFor('billing_worker')))).toBe(2); // the table and its view
    await test.drop();
  });
});

describe('the journal', () => {
  it('takes what has no outcome for unknown, and half a line for nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'));
    const journal = openJournal(join(folder, 'journal.ndjson'));
    const [first, second, third] = ['01', '02', '03'].map((ref) => sent(ref).event) as [
      LoadEvent,
      LoadEvent,
      LoadEvent,
    ];
    await journal.append([
      { kind: 'sent', attempt: 1, event: first },
      { kind: 'sent', attempt: 2, event: second },
    ]);
    await Promise.all([
      journal.append([{ kind: 'acknowledged', attempt: 1, ref: '01', eventId: idOf('01'), timestamp: hour }]),
      journal.append([{ kind: 'sent', attempt: 3, event: third }]),
      journal.append([{ kind: 'refused', attempt: 3, ref: '03', reason: '429' }]),
    ]);
    await journal.close();
    appendFileSync(journal.path, '{"kind":"sent","attempt":4,');
    const read = [...readJournal(journal.path).values()];
    expect(read.map(({ acknowledgements, unknownAttempts }) => [acknowledgements.length, unknownAttempts])).toEqual([
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    rmSync(folder, { recursive: true });
  });
});

async function append(test: TestDatabase, refs: readonly string[]): Promise<void> {
  const eventLog = createPostgresEventLog({
    appendUrl: test.urlFor('ingest_gateway_worker'),
    readUrl: test.urlFor('aggregator_worker'),
    topics: { [usageEventsTopic]: 2 },
    clock: systemClock,
    log,
  });
  await eventLog.start();
  const records = refs.map((ref) => ({ key: ref, value: Buffer.from(JSON.stringify({ event_id: idOf(ref) })) }));
  await eventLog.append(usageEventsTopic, records);
  await eventLog.stop();
}

function kindsOf({ violations }: { readonly violations: readonly string[] }): string[] {
  return violations.map((violation) => violation.split(':')[0] ?? '').toSorted();
}

function sent(ref: string): JournalEntry & { kind: 'sent' } {
  const event = { ref, consumerId, toolId: 'weather', success: true, durationMs: 5, unitMillionths: 1_500_000 };
  return { kind: 'sent', attempt: 1, event: ref === hasItsOwnTime ? { ...event, timestamp: hour } : event };
}

function acknowledged(ref: string): JournalEntry[] {
  return [sent(ref), { kind: 'acknowledged', attempt: 1, ref, eventId: idOf(ref), timestamp: hour }];
}
