import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { createWatermarks } from '../../src/counting/watermarks.ts';
import { createRetention } from '../../src/retention/retention.ts';
import {
  batchOf,
  log,
  openCountingFixture,
  partitions,
  rules,
  startMs,
  topic,
  usageEvent,
  type CountingFixture,
} from '../support/counting-fixture.ts';

let fixture: CountingFixture;
beforeAll(async () => {
  fixture = await openCountingFixture();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

async function watermark(): Promise<string | undefined> {
  const { rows } = await fixture.owner.query<{ counted_through: Date }>(
    'select counted_through from usage.watermark_v1',
  );
  return rows[0]?.counted_through.toISOString();
}

describe('the watermark', () => {
  it('is the minimum over all partitions; one that was never counted holds it back', async () => {
    await fixture.store.moveWatermarks(topic, [{ partition: 0, nextOffset: 0n, countedThrough: startMs }]);
    expect(await watermark()).toBe('1970-01-01T00:00:00.000Z');
    await fixture.store.moveWatermarks(topic, [{ partition: 1, nextOffset: 0n, countedThrough: startMs - 5 }]);
    expect(await watermark()).toBe(toIso(startMs - 5));
  });

  it('is held back by a partition that the log has gained', async () => {
    await moveAll(startMs);
    await fixture.store.registerPartitions(topic, partitions + 1);
    expect(await watermark()).toBe('1970-01-01T00:00:00.000Z');
    await fixture.owner.query('delete from usage.cursor where topic = $1 and partition = $2', [topic, partitions]);
    await fixture.owner.query('update usage.log_topic set partitions = $2 where topic = $1', [topic, partitions]);
  });

  it('F49 never moves back, neither by an idle look nor by a flush', async () => {
    await moveAll(startMs);
    await moveAll(startMs - 3_600_000);
    expect(await watermark()).toBe(toIso(startMs));
    await fixture.newReader()(batchOf([usageEvent({ received_at: toIso(startMs - 7_200_000) })]));
    expect(await watermark()).toBe(toIso(startMs));
  });

  it('F31 goes by our clock where a record comes from a day ahead, and stays where one comes from a day ago', async () => {
    await moveAll(startMs - 3_600_000);
    const read = fixture.newReader();
    const at = (ms: number) => usageEvent({ occurred_at: toIso(ms), received_at: toIso(ms) });
    await read(batchOf([at(startMs - dayMs)]));
    expect(await watermark()).toBe(toIso(startMs - 3_600_000));
    await read(batchOf([at(startMs + dayMs)], 1n));
    await read(batchOf([at(startMs + dayMs)], 0n, 1));
    const lateMs = rules.appendDeadlineMs + rules.clockSkewMaxMs;
    const through = Date.parse((await watermark()) ?? '');
    expect(through).toBeGreaterThanOrEqual(startMs - lateMs);
    expect(through).toBeLessThanOrEqual(fixture.clock.now() - lateMs);
    expect((await fixture.rollups()).map((line) => line.split(' ')[2])).toEqual(['2026-11-20', '2026-11-22']);
  });

  it('moves with the receipt time of the last counted record, not with the time that the event claims', async () => {
    await fixture.store.moveWatermarks(topic, [{ partition: 1, nextOffset: 0n, countedThrough: startMs }]);
    const receivedAt = startMs - 60_000;
    await fixture.newReader()(
      batchOf([usageEvent({ received_at: toIso(receivedAt), occurred_at: toIso(startMs - dayMs) })]),
    );
    expect(await watermark()).toBe(toIso(receivedAt - 7_000));
  });

  it('is not moved by a look that was taken before the cursor went on', async () => {
    await moveAll(startMs - 60_000);
    await fixture.newReader()(batchOf([usageEvent({ received_at: toIso(startMs - 120_000) })]));
    await moveAll(startMs); // partition 0 was looked at when its cursor stood at 0
    expect(await watermark()).toBe(toIso(startMs - 60_000));
  });

  it('moves without traffic, within seconds', async () => {
    const watermarks = createWatermarks({ store: fixture.store, topic, rules, clock: fixture.clock, log });
    await watermarks.start();
    for (let partition = 0; partition < partitions; partition += 1) watermarks.noteCaughtUp(partition, 0n, startMs);
    await eventually(async () => (await watermark()) === toIso(startMs - 7_000), { withinMs: 3_000 });
    await watermarks.stop();
  });

  it('moves at once when the clock jumps, and does not wait for its next round', async () => {
    const { store, clock } = fixture;
    const watermarks = createWatermarks({ store, topic, rules, clock, log });
    const noteAll = (asOf: number) => [0, 1].forEach((partition) => watermarks.noteCaughtUp(partition, 0n, asOf));
    await watermarks.start();
    noteAll(startMs - dayMs);
    await eventually(async () => (await watermark()) === toIso(startMs - dayMs - 7_000), { withinMs: 3_000 });
    await watermarks.stop(); // no rounds any more
    noteAll(startMs);
    await eventually(async () => (await watermark()) === toIso(startMs - 7_000), { withinMs: 900 });
  });

  async function moveAll(countedThrough: number): Promise<void> {
    await fixture.store.moveWatermarks(
      topic,
      [0, 1].map((partition) => ({ partition, nextOffset: 0n, countedThrough })),
    );
  }
});

describe('retention', () => {
  it('F44 drops a day only once the watermark says that nothing of it is still on its way', async () => {
    await fixture.newReader()(
      batchOf([usageEvent({ occurred_at: toIso(startMs - 100 * dayMs), received_at: toIso(startMs - 100 * dayMs) })]),
    );
    const old = `event_${toIso(startMs - 100 * dayMs)
      .slice(0, 10)
      .replaceAll('-', '')}`;
    expect(await fixture.retention.dropEventDaysBefore('2026-08-23')).toEqual([]); // partition 1 has not been counted at all
    await fixture.owner.query('update usage.cursor set counted_through = $1', [toIso(startMs)]);
    expect(await fixture.retention.dropEventDaysBefore('2026-08-23')).toEqual([old]);
    expect(await fixture.rollups()).toHaveLength(1); // the rollup stays
  });

  it('gives up rather than make ingest wait behind a long reader', async () => {
    await fixture.retention.ensureDays(['2025-01-01']);
    await fixture.owner.query('update usage.cursor set counted_through = $1', [toIso(startMs)]);
    await fixture.owner.query('begin');
    await fixture.owner.query('select count(*) from usage.event');
    await expect(fixture.retention.dropEventDaysBefore('2025-06-01')).rejects.toMatchObject({ kind: 'unavailable' });
    await fixture.newReader()(batchOf([usageEvent()]));
    await fixture.owner.query('commit');
    expect(await fixture.retention.dropEventDaysBefore('2025-06-01')).toEqual(['event_20250101']);
  });

  it('F44 keeps a segment of the log while one of its records is not counted', async () => {
    await fixture.owner.query('select event_log.create_topic($1, 2)', [topic]);
    await fixture.owner.query("select event_log.ensure_segment('2026-11-01')");
    const payload = Buffer.from('x');
    await fixture.owner.query("select event_log.append($1, '{0}', '{3}', '{1}', $2, '2026-11-01T10:00:00Z')", [
      topic,
      payload,
    ]);
    expect(await fixture.retention.dropLogSegmentsBefore('2026-11-10')).toEqual([]);
    await fixture.owner.query('update usage.cursor set next_offset = 3 where topic = $1 and partition = 0', [topic]);
    expect(await fixture.retention.dropLogSegmentsBefore('2026-11-10')).toEqual(['record_batch_20261101']);
  });

  it('makes the tables of yesterday, today and tomorrow before counting begins', async () => {
    const retention = createRetention({
      store: fixture.retention,
      eventRetentionDays: 90,
      logRetentionDays: 7,
      clock: fixture.clock,
      log,
    });
    await retention.start();
    await retention.stop();
    const { rows } = await fixture.owner.query<{ name: string }>(
      "select relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage.event'::regclass order by 1",
    );
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['event_20261120', 'event_20261121', 'event_20261122']));
  });
});
