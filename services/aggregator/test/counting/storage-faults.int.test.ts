import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { durationMsMax } from '@tollgate/contracts/events';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
import { busyMs } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { createPgRetentionStore } from '../../src/retention/pg-retention-store.ts';
import { createPgUsageStore } from '../../src/counting/pg-usage-store.ts';
import {
  batchOf,
  consumerId,
  log,
  openCountingFixture,
  usageEvent,
  type CountingFixture,
} from '../support/counting-fixture.ts';

let fixture: CountingFixture;
let proxy: FaultProxy;
let opened: Database[] = [];
beforeAll(async () => {
  fixture = await openCountingFixture();
  proxy = await startFaultProxy({ port: Number(new URL(fixture.test.ownerUrl).port) });
});
beforeEach(() => fixture.reset());
afterAll(async () => {
  await Promise.all(opened.map((database) => database.stop()));
  opened = [];
  await proxy.close();
  await fixture.close();
});

/** A reader whose store reaches PostgreSQL by the proxy, on one connection of its own. */
function readerThrough(options: Partial<DatabaseOptions> = {}) {
  const url = proxy.through(fixture.test.urlFor('aggregator_worker'));
  const database = createDatabase({ url, name: 'aggregator-proxied', maxConnections: 1, log, ...options });
  opened.push(database);
  const { ensureDays } = createPgRetentionStore(database);
  return fixture.newReader(createPgUsageStore({ database, ensureDays, clock: fixture.clock }));
}

const hour = '2026-11-21 12:00:00';
const weather = `${consumerId} weather ${hour} t`;

describe('a flush that PostgreSQL fails', () => {
  it('F35 counts once when COMMIT arrived and its answer did not', async () => {
    const read = readerThrough();
    await read(batchOf([usageEvent()]));
    const dropped = proxy.dropAnswer((bytes) => bytes.includes('commit'));
    const batch = batchOf([usageEvent(), usageEvent()], 1n);
    await expect(read(batch)).rejects.toMatchObject({ kind: 'unavailable' });
    await dropped;
    await read(batch); // handed out again: the cursor tells
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

  it('F41 gives a statement up that does not end, and counts its events when it ends again', async () => {
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
  it('F43 sums the longest durations exactly, and puts a longer one aside', async () => {
    const longest = Array.from({ length: 50 }, () => usageEvent({ duration_ms: durationMsMax }));
    await fixture.newReader()(batchOf([...longest, usageEvent({ duration_ms: durationMsMax + 1 })]));
    expect(await fixture.rollups()).toEqual([`${weather} 50 ${BigInt(durationMsMax) * 50n}`]);
    expect(await fixture.count('usage.dead_letter')).toBe(1);
  });

  // half an hour off, and a day of 25 hours
  it.each(['Asia/Kolkata', 'Europe/Berlin'])('F48 counts each hour of UTC once in a session of %s', async (zone) => {
    const zoned = new URL(fixture.test.urlFor('aggregator_worker'));
    zoned.searchParams.set('options', `-c TimeZone=${zone}`);
    const read = readerThrough({ url: zoned.href });
    const fromMs = Date.parse('2026-10-24T22:15:00.000Z');
    const events = Array.from({ length: 30 }, (_, index) => {
      const at = toIso(fromMs + index * 3_600_000);
      return usageEvent({ occurred_at: at, received_at: at });
    });
    await read(batchOf(events));
    const hours = events.map(({ occurred_at: at }) => `${at.slice(0, 10)} ${at.slice(11, 13)}:00:00`);
    expect(await fixture.rollups()).toEqual(hours.map((each) => `${consumerId} weather ${each} t 1 0`));
  });
});
