import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { createDatabase, type Database } from '@tollgate/database/database';
import { archiveKeys } from '@tollgate/key-archive/archive-keys';
import { createKeyArchives, type KeyArchives } from '@tollgate/key-archive/key-archives';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';

import { batchOf, countingFixture, log, startMs, topic, usageEvent } from '../support/counting-fixture.ts';
import { dyingAt } from '../support/dying-at.ts';

const fixture = countingFixture();
const oldMs = startMs - 3 * 365 * dayMs;
const olderThanMs = startMs - 2 * 365 * dayMs;
const oldKeys = Array.from({ length: 40 }, (_, place) => `old-${place}`);
const running = {} as { folder: string; owner: Database; archives: KeyArchives };

beforeAll(() => {
  running.owner = createDatabase({ url: fixture.test.ownerUrl, name: 'archiver', maxConnections: 3, log });
});
afterAll(() => running.owner.stop());

/** A database with old keys, whose events are gone, and an aggregator that was there before their archive. */
beforeEach(async () => {
  await fixture.reset();
  await fixture.owner.query('delete from usage.key_archive; select usage.set_key_partitions(2)');
  await fixture.owner.query('update usage.cursor set key_archives = 0');
  running.folder = mkdtempSync(join(tmpdir(), 'key-archive-'));
  running.archives = createKeyArchives({ database: fixture.database, folder: running.folder, log });
  await running.archives.start();
  await send([...oldKeys.map(oldEvent), usageEvent({ key: 'young' })]);
  await fixture.owner.query(`drop table usage.event_${toIso(oldMs).slice(0, 10).replaceAll('-', '')}`);
});

afterEach(async () => {
  await running.archives.stop();
  rmSync(running.folder, { recursive: true });
});

function oldEvent(key: string): UsageEventRecord {
  return usageEvent({ key, occurred_at: toIso(oldMs), received_at: toIso(oldMs) });
}

/** Counts one batch, as an aggregator with these archives. */
async function send(events: readonly UsageEventRecord[], archives = running.archives): Promise<void> {
  const store = fixture.storeOver(fixture.database, archives);
  const at = await store.cursorOf(topic, 1);
  await fixture.newReader(store)(batchOf(events, at, 1));
}

const repeats = () => oldKeys.map((key) => usageEvent({ key }));
const counted = async () => Number(await fixture.valueOf<string>('select sum(calls) from usage.rollup'));
const letters = () =>
  fixture.valueOf<string[] | null>('select json_agg(event_id order by event_id) from usage.dead_letter');

function archive(database = running.owner, gatewaysKnow = async (): Promise<unknown> => undefined) {
  const deps = { database, folder: running.folder, clock: fixture.clock, onProgress: () => undefined };
  return archiveKeys({ ...deps, gatewaysKnow: async () => void (await gatewaysKnow()) }, olderThanMs);
}

describe('the key of an old event', () => {
  it('F173 counts once after its archive, also for an aggregator that was there before', async () => {
    expect(await archive()).toMatchObject({ keys: 40 });
    expect(await fixture.count('usage.event_key')).toBe(1);
    await send(repeats());
    expect([await counted(), await letters(), await fixture.count('usage.event_key')]).toEqual([41, null, 1]);
  });

  it('F173 F06 is a conflict with another body, and its first event is the one that is counted', async () => {
    await archive();
    const changed = usageEvent({ key: 'old-3', duration_ms: 8 });
    await send([changed, usageEvent({ key: 'old-4' }), { ...changed, tool_id: 'weather' }]);
    expect([await counted(), await letters()]).toEqual([41, [changed.event_id, changed.event_id]]);
  });

  it('F173 is recognised in a partition that the log has only just got', async () => {
    await archive();
    await fixture.store.registerPartitions(topic, 3);
    await fixture.newReader(fixture.storeOver(fixture.database, running.archives))(batchOf(repeats(), 0n, 2));
    expect(await counted()).toBe(41);
    await fixture.owner.query(
      'delete from usage.cursor where partition = 2; update usage.log_topic set partitions = 2',
    );
  });

  it('stays in the table while its event is kept, and a second archive has what has grown old since', async () => {
    await send([oldEvent('kept')]); // its day is there again
    expect(await archive()).toEqual({ file: undefined, keys: 0, olderThanMs: Date.parse(toIso(oldMs).slice(0, 10)) });
    await fixture.owner.query(`drop table usage.event_${toIso(oldMs).slice(0, 10).replaceAll('-', '')}`);
    expect(await archive()).toMatchObject({ keys: 41 });
    await fixture.owner.query(`update usage.event_key set occurred_at = '2023-01-01'`);
    expect(await archive()).toMatchObject({ keys: 1 });
    await send([...repeats(), usageEvent({ key: 'young' }), usageEvent({ key: 'kept' })]);
    expect([await counted(), readdirSync(running.folder)]).toEqual([42, [expect.anything(), expect.anything()]]);
  });
});

describe('an archive that is not there', () => {
  const without = (folder?: string) => createKeyArchives({ database: fixture.database, folder, log });

  it('F174 stops the start of an aggregator, with what to do', async () => {
    await archive();
    await expect(without().start()).rejects.toThrow('KEY_ARCHIVE_DIR');
    await expect(without('/nowhere').start()).rejects.toThrow(/\/nowhere\/keys-0001-.* cannot be read/);
  });

  it('F174 stops counting and is said to whoever asks whether it is ready; counting goes on when it is back', async () => {
    const { file = '' } = await archive();
    renameSync(file, `${file}.away`);
    await expect(send(repeats())).rejects.toThrow('cannot be read');
    expect(running.archives.readiness?.()).toEqual({ 'key-archives': expect.stringContaining('cannot be read') });
    renameSync(`${file}.away`, file);
    await send(repeats());
    expect([await counted(), running.archives.readiness?.()]).toEqual([41, {}]);
  });
});

describe('archiving', () => {
  it('F173 that is killed at any statement loses no key, counts nothing twice, and goes on', async () => {
    let step = 1;
    for (let isDone = false; !isDone; step += 1) {
      isDone = await archive(dyingAt(running.owner, step)).then(
        () => true,
        () => false,
      );
      await send([...repeats(), usageEvent({ key: 'young' })]);
      expect([step, await counted(), await letters()]).toEqual([step, 41, null]);
      await archive();
      await send(repeats());
      expect([step, await counted(), await fixture.count('usage.event_key')]).toEqual([step, 41, 1]);
      if (!isDone) await startAgain();
    }
    expect(step).toBeGreaterThan(20);
  }, 120_000);

  async function startAgain(): Promise<void> {
    await running.archives.stop();
    rmSync(running.folder, { recursive: true });
    await fixture.reset();
    await fixture.owner.query('delete from usage.key_archive; update usage.cursor set key_archives = 0');
    await send([...oldKeys.map(oldEvent), usageEvent({ key: 'young' })]);
    await fixture.owner.query(`drop table usage.event_${toIso(oldMs).slice(0, 10).replaceAll('-', '')}`);
  }

  it('is done by one command at a time', async () => {
    let second: Promise<unknown> | undefined;
    await archive(running.owner, async () => {
      second = archive();
      await expect(second).rejects.toThrow('another `tollgate operator keys archive` is at work');
    });
    expect(second).toBeDefined();
  });
});
