import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { durationMsMax } from '@tollgate/contracts/events/events';
import { hourMs } from '@tollgate/kernel/durations';
import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
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
