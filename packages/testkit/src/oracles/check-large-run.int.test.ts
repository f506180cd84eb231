import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';

import { openJournal, type JournalEntry } from '../load/journal.ts';
import { testDatabase, type TestDatabase } from '../postgres.ts';
import { checkLargeRun, sumCounted } from './check-large-run.ts';
import { loadJournal } from './load-journal.ts';

const consumerId = '0193f0a0-0000-7000-8000-00000000000a';
const idOf = (ref: string) => `0193f0a0-0000-7000-8000-0000000000${ref}`;
const hour = '2026-11-21T12:00:00.000Z';
const hasItsOwnTime = '02';

/** An oracle that cannot say no proves nothing: everything that may go wrong is done to a database that is right. */
describe('checkLargeRun', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-large-run-'));
  let journals = 0;
  let test: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    test = await testDatabase();
    client = new pg.Client({ connectionString: test.ownerUrl });
    await client.connect();
    await client.query(`select usage.ensure_day('2026-11-21')`);
    await client.query('create schema oracle; create table oracle.log (event_id uuid)');
  });
  beforeEach(async () => {
    await client.query('truncate usage.event, usage.event_key, usage.rollup, usage.dead_letter, oracle.log');
    for (const ref of ['01', hasItsOwnTime]) {
      await count(ref);
      await logged(ref);
    }
    await roll(2);
  });
  afterAll(async () => {
    await client.end();
    await test.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds nothing where all is right, and sums what /v1/usage must say', async () => {
    const report = await judge([...acknowledged('01'), ...acknowledged(hasItsOwnTime)]);
    expect(report).toEqual({
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
    expect([...(await sumCounted(client, idOf('99')))]).toEqual([]);
  });

  it('allows an event of unknown outcome to be counted, and not to be', async () => {
    const report = await judge([...acknowledged('01'), sent('02'), sent('03')]);
    expect(report).toMatchObject({ acknowledged: 1, unknown: 2, lost: 0, invented: 0, violations: [] });
  });

  it('finds a lost event', async () => {
    await client.query('delete from usage.event where event_id = $1', [idOf('02')]);
    await roll(1);
    const report = await judge([...acknowledged('01'), ...acknowledged('02')]);
    expect(report).toMatchObject({ lost: 1, doubled: 0, invented: 0 });
    expect(kindsOf(report)).toEqual(['lost', 'not counted']);
  });

  it('finds an acknowledged event that the log does not have', async () => {
    await count('03');
    await roll(3);
    const report = await judge(['01', '02', '03'].flatMap(acknowledged));
    expect(kindsOf(report)).toEqual(['from nowhere', 'not durable']);
  });

  it('finds an event that is counted twice, at another time or under another id', async () => {
    await count('01', { at: '2026-11-21T12:00:01.000Z' });
    await count('03', { ref: '02' });
    await roll(4);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(report).toMatchObject({ lost: 0, invented: 0, doubled: 3 }); // 01 by its id and its ref, 02 by its ref
  });

  it('finds an event that nobody sent, or that was only ever refused', async () => {
    const refused: JournalEntry[] = [sent('02'), { kind: 'refused', attempt: 1, ref: '02', reason: '429' }];
    expect(await judge([...acknowledged('01'), ...refused])).toMatchObject({ lost: 0, invented: 1 });
    expect(await judge(acknowledged('01'))).toMatchObject({ lost: 0, invented: 1 });
  });

  it.each([
    ['success = false', 2],
    [`metadata = metadata || '{"units": "1"}'`, 2],
    [`idempotency_key = 'key'`, 2],
    [`duration_ms = null`, 2],
    [`occurred_at = occurred_at + interval '1 ms'`, 2],
  ])('finds events that are counted as something else: %s', async (change, found) => {
    await client.query(`update usage.event set ${change}`);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(kindsOf(report).filter((kind) => kind === 'different')).toHaveLength(found);
  });

  it('finds an event that was acknowledged under two ids', async () => {
    const again: JournalEntry = { kind: 'acknowledged', attempt: 2, ref: '01', eventId: idOf('02'), timestamp: hour };
    const report = await judge([...acknowledged('01'), sent('01'), again, ...acknowledged('02')]);
    expect(kindsOf(report)).toEqual(['different']);
  });

  it('finds rollups that are not the sums of the events', async () => {
    await roll(5);
    const report = await judge(['01', '02'].flatMap(acknowledged));
    expect(report.doubled).toBe(3);
    expect(kindsOf(report)).toEqual(['only in the events', 'only in the rollups']);
  });

  async function judge(entries: readonly JournalEntry[]) {
    const journal = openJournal(join(folder, `journal-${(journals += 1)}.ndjson`));
    await journal.append(entries);
    await journal.close();
    await loadJournal(client, journal.path);
    return checkLargeRun(client);
  }

  async function logged(ref: string): Promise<void> {
    await client.query('insert into oracle.log values ($1)', [idOf(ref)]);
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

function kindsOf({ violations }: { readonly violations: readonly string[] }): string[] {
  return violations.map((violation) => violation.split(':')[0] ?? '').toSorted();
}

function sent(ref: string): JournalEntry {
  const event = { ref, consumerId, toolId: 'weather', success: true, durationMs: 5, unitMillionths: 1_500_000 };
  return { kind: 'sent', attempt: 1, event: ref === hasItsOwnTime ? { ...event, timestamp: hour } : event };
}

function acknowledged(ref: string): JournalEntry[] {
  return [sent(ref), { kind: 'acknowledged', attempt: 1, ref, eventId: idOf(ref), timestamp: hour }];
}
