import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { durationMsMax } from '@tollgate/contracts/events';
import { systemClock } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
import { busyMs } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { batchOf, consumerId, countingFixture, eventAt, hour, log, usageEvent } from '../support/counting-fixture.ts';

const fixture = countingFixture();
let proxy: FaultProxy;
const opened: Database[] = [];
beforeAll(async () => {
  proxy = await startFaultProxy({ port: Number(new URL(fixture.test.ownerUrl).port) });
});
beforeEach(() => fixture.reset());
afterAll(async () => {
  await Promise.all(opened.map((database) => database.stop()));
  await proxy.close();
});

/** A reader whose store reaches PostgreSQL by the proxy, on one connection of its own. */
function readerThrough(options: Partial<DatabaseOptions> = {}) {
  const url = proxy.through(fixture.test.urlFor('aggregator_worker'));
  const database = createDatabase({ url, name: 'aggregator-proxied', maxConnections: 1, log, ...options });
  opened.push(database);
  return fixture.newReader(fixture.storeOver(database));
}

const weather = `${consumerId} weather ${hour} t`;

describe('a flush that PostgreSQL fails', () => {
  it('F35 counts once when COMMIT arrived and its answer did not', async () => {
    const read = readerThrough();
    await read(batchOf([usageEvent()]));
    const dropped = proxy.dropAnswer((bytes) => bytes.includes('commit'));
    const batch = batchOf([usageEvent(), usageEvent()], 1n);
    await expect(read(batch)).rejects.toMatchObject({ kind: 'unavailable' });
    await dropped;
    await read(batch); // handed out again: the cursor shows that it was counted
    await read(batchOf([usageEvent()], 3n));
    expect(await fixture.rollups()).toEqual([`${weather} 4 0`]);
  });

  it('F38 gives up after 2 s while a table is locked, and counts once it is free', async () => {
    const read = readerThrough({ statementTimeoutMs: 10_000 });
    const batch = batchOf([usageEvent({ key: 'a' })]);
    await fixture.owner.query('begin; lock table usage.rollup in access exclusive mode');
    try {
      const startedMs = systemClock.monotonicMs();
      await expect(read(batch)).rejects.toMatchObject({ kind: 'unavailable' });
      expect(systemClock.monotonicMs() - startedMs).toBeLessThan(2_000 + busyMs); // sooner than the statement itself
    } finally {
      await fixture.owner.query('rollback');
    }
    await read(batch);
    expect(await fixture.rollups()).toEqual([`${weather} 1 0`]);
  });

  it('F41 gives up a statement that does not end, and counts its events once statements end again', async () => {
    const read = readerThrough({ statementTimeoutMs: 500 });
    const batch = batchOf([usageEvent({ key: 'a' })]);
    await fixture.owner.query(`create function public.hang() returns trigger language plpgsql as
      $$ begin perform pg_sleep(30); return new; end $$`);
    await fixture.owner.query('create trigger hang before insert on usage.rollup for each row execute function hang()');
    try {
      await expect(read(batch)).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await fixture.count('usage.event')).toBe(0);
    } finally {
      await fixture.owner.query('drop function public.hang cascade');
    }
    await read(batch);
    expect(await fixture.rollups()).toEqual([`${weather} 1 0`]);
  });
});

describe('numbers and zones', () => {
  it('F43 sums the longest durations exactly, and keeps a longer one as a dead letter', async () => {
    const longest = Array.from({ length: 50 }, () => usageEvent({ duration_ms: durationMsMax }));
    await fixture.newReader()(batchOf([...longest, usageEvent({ duration_ms: durationMsMax + 1 })]));
    expect(await fixture.rollups()).toEqual([`${weather} 50 ${BigInt(durationMsMax) * 50n}`]);
    expect(await fixture.count('usage.dead_letter')).toBe(1);
  });

  // an offset of half an hour, and a day of 25 hours
  it.each(['Asia/Kolkata', 'Europe/Berlin'])('F48 counts each hour of UTC once in a session of %s', async (zone) => {
    const zoned = new URL(fixture.test.urlFor('aggregator_worker'));
    zoned.searchParams.set('options', `-c TimeZone=${zone}`);
    const read = readerThrough({ url: zoned.href });
    const fromMs = Date.parse('2026-10-24T22:15:00.000Z');
    const events = Array.from({ length: 30 }, (_, index) => eventAt(fromMs + index * hourMs));
    await read(batchOf(events));
    const hours = events.map(({ occurred_at: at }) => `${at.slice(0, 10)} ${at.slice(11, 13)}:00:00`);
    expect(await fixture.rollups()).toEqual(hours.map((each) => `${consumerId} weather ${each} t 1 0`));
  });
});
