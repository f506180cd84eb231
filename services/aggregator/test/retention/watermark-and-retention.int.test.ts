import { beforeEach, describe, expect, it } from '@jest/globals';
import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { createWatermarks } from '../../src/counting/watermarks.ts';
import { createRetention } from '../../src/retention/retention.ts';
import { dropEventDaysBefore, dropLogSegmentsBefore } from '../../src/retention/sql-day-tables.ts';
import {
  batchOf,
  countingFixture,
  eventAt,
  log,
  partitions,
  rules,
  startMs,
  topic,
  trailMs,
  usageEvent,
} from '../support/counting-fixture.ts';

const fixture = countingFixture();
beforeEach(() => fixture.reset());

const allPartitions = Array.from({ length: partitions }, (_, partition) => partition);

describe('the watermark', () => {
  it('is the minimum over all partitions; one that was never counted holds it back', async () => {
    await fixture.store.moveWatermarks(topic, [{ partition: 0, nextOffset: 0n, countedThrough: startMs }]);
    expect(await fixture.watermark()).toBe(0);
    await fixture.store.moveWatermarks(topic, [{ partition: 1, nextOffset: 0n, countedThrough: startMs - 5 }]);
    expect(await fixture.watermark()).toBe(startMs - 5);
  });

  it('is held back by a partition that the log has gained', async () => {
    await moveAll(startMs);
    await fixture.store.registerPartitions(topic, partitions + 1);
    expect(await fixture.watermark()).toBe(0);
    await fixture.owner.query('delete from usage.cursor where topic = $1 and partition = $2', [topic, partitions]);
    await fixture.owner.query('update usage.log_topic set partitions = $2 where topic = $1', [topic, partitions]);
  });

  it('F49 never moves back, neither by an idle look nor by a flush', async () => {
    await moveAll(startMs);
    await moveAll(startMs - hourMs);
    expect(await fixture.watermark()).toBe(startMs);
    await fixture.newReader()(batchOf([usageEvent({ received_at: toIso(startMs - 2 * hourMs) })]));
    expect(await fixture.watermark()).toBe(startMs);
  });

  it('F31 goes by our clock where a record comes from a day ahead, and stays where one comes from a day ago', async () => {
    await moveAll(startMs - hourMs);
    const read = fixture.newReader();
    await read(batchOf([eventAt(startMs - dayMs)]));
    expect(await fixture.watermark()).toBe(startMs - hourMs);
    await read(batchOf([eventAt(startMs + dayMs)], 1n));
    await read(batchOf([eventAt(startMs + dayMs)], 0n, 1));
    expect(await fixture.watermark()).toBeGreaterThanOrEqual(startMs - trailMs);
    expect(await fixture.watermark()).toBeLessThanOrEqual(fixture.clock.now() - trailMs);
    expect((await fixture.rollups()).map((line) => line.split(' ')[2])).toEqual(['2026-11-20', '2026-11-22']);
  });

  it('moves with the receipt time of the last counted record, not with the time that the event claims', async () => {
    await fixture.store.moveWatermarks(topic, [{ partition: 1, nextOffset: 0n, countedThrough: startMs }]);
    const receivedAt = startMs - minuteMs;
    await fixture.newReader()(
      batchOf([usageEvent({ received_at: toIso(receivedAt), occurred_at: toIso(startMs - dayMs) })]),
    );
    expect(await fixture.watermark()).toBe(receivedAt - trailMs);
  });

  it('is not moved by a look that was taken before the cursor went on', async () => {
    await moveAll(startMs - minuteMs);
    await fixture.newReader()(batchOf([usageEvent({ received_at: toIso(startMs - 2 * minuteMs) })]));
    await moveAll(startMs); // partition 0 was looked at when its cursor stood at 0
    expect(await fixture.watermark()).toBe(startMs - minuteMs);
  });

  it('moves without traffic, within seconds', async () => {
    const watermarks = createWatermarks({ store: fixture.store, topic, rules, clock: fixture.clock, log });
    await watermarks.start();
    for (const partition of allPartitions) watermarks.noteCaughtUp(partition, 0n, startMs);
    await eventually(async () => (await fixture.watermark()) === startMs - trailMs, { withinMs: 3_000 });
    await watermarks.stop();
  });

  it('moves at once when the clock jumps, and does not wait for its next round', async () => {
    const { store, clock } = fixture;
    const watermarks = createWatermarks({ store, topic, rules, clock, log }); // never started: it has no rounds
    const noteAll = (asOf: number) =>
      allPartitions.forEach((partition) => watermarks.noteCaughtUp(partition, 0n, asOf));
    noteAll(startMs - dayMs);
    await watermarks.writeNoted();
    expect(await fixture.watermark()).toBe(startMs - dayMs - trailMs);
    noteAll(startMs);
    await eventually(async () => (await fixture.watermark()) === startMs - trailMs, { withinMs: 900 });
  });

  async function moveAll(countedThrough: number): Promise<void> {
    await fixture.store.moveWatermarks(
      topic,
      allPartitions.map((partition) => ({ partition, nextOffset: 0n, countedThrough })),
    );
  }
});

describe('retention', () => {
  it('F44 drops a day only once the watermark says that nothing of it is still on its way', async () => {
    await fixture.newReader()(batchOf([eventAt(Date.parse('2026-08-13T12:30:00Z'))]));
    expect(await dropEventDaysBefore(fixture.database, '2026-08-23')).toEqual([]); // partition 1 has not been counted at all
    await fixture.owner.query('update usage.cursor set counted_through = $1', [toIso(startMs)]);
    expect(await dropEventDaysBefore(fixture.database, '2026-08-23')).toEqual(['event_20260813']);
    expect(await fixture.rollups()).toHaveLength(1); // the rollup stays
  });

  it('gives up rather than make ingest wait behind a long reader', async () => {
    await fixture.dayTables.ensure(['2025-01-01']);
    await fixture.owner.query('update usage.cursor set counted_through = $1', [toIso(startMs)]);
    await fixture.owner.query('begin');
    await fixture.owner.query('select count(*) from usage.event');
    await expect(dropEventDaysBefore(fixture.database, '2025-06-01')).rejects.toMatchObject({ kind: 'unavailable' });
    await fixture.newReader()(batchOf([usageEvent()]));
    await fixture.owner.query('commit');
    expect(await dropEventDaysBefore(fixture.database, '2025-06-01')).toEqual(['event_20250101']);
  });

  it('F44 keeps a segment of the log while one of its records is not counted', async () => {
    await fixture.owner.query('select event_log.create_topic($1, 2)', [topic]);
    await fixture.owner.query("select event_log.ensure_segment('2026-11-01')");
    const append = "select event_log.append($1, '{0}', '{3}', '{1}', $2, '2026-11-01T10:00:00Z')";
    await fixture.owner.query(append, [topic, Buffer.from('x')]);
    expect(await dropLogSegmentsBefore(fixture.database, '2026-11-10')).toEqual([]);
    await fixture.owner.query('update usage.cursor set next_offset = 3 where topic = $1 and partition = 0', [topic]);
    expect(await dropLogSegmentsBefore(fixture.database, '2026-11-10')).toEqual(['record_batch_20261101']);
  });

  it('makes the tables of yesterday, today and tomorrow before counting begins', async () => {
    const retention = createRetention({
      database: fixture.database,
      dayTables: fixture.dayTables,
      eventRetentionDays: 90,
      logRetentionDays: 7,
      clock: fixture.clock,
      clockCheck: { requireRight: () => undefined },
      log,
    });
    await retention.start();
    await retention.stop();
    const names = await fixture.valueOf<string[]>(
      "select array_agg(inhrelid::regclass::text) from pg_inherits where inhparent = 'usage.event'::regclass",
    );
    expect(names.map((name) => name.replace('usage.', ''))).toEqual(
      expect.arrayContaining(['event_20261120', 'event_20261121', 'event_20261122']),
    );
  });
});
