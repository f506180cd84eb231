import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { LogBatch } from '@tollgate/event-log/event-log';
import { planFlush, type Flush } from '../../src/counting/plan-flush.ts';
import { CursorMoved } from '../../src/counting/ports.ts';
import {
  batchOf,
  consumerId,
  countingFixture,
  eventAt,
  hour,
  startMs,
  topic,
  usageEvent,
} from '../support/counting-fixture.ts';
import { failingAt } from '../support/failing-at.ts';

const fixture = countingFixture();
beforeEach(() => fixture.reset());

describe('counting once', () => {
  it('counts the events of a batch into the hour, by success, with their durations', async () => {
    await fixture.newReader()(
      batchOf([
        usageEvent({ duration_ms: 120 }),
        usageEvent({ duration_ms: 80 }),
        usageEvent({ success: false, duration_ms: 5 }),
        usageEvent({ occurred_at: toIso(startMs - 31 * 60_000) }),
      ]),
    );
    expect(await fixture.rollups()).toEqual([
      `${consumerId} weather 2026-11-21 11:00:00 t 1 0`,
      `${consumerId} weather ${hour} f 1 5`,
      `${consumerId} weather ${hour} t 2 200`,
    ]);
    expect(await fixture.count('usage.event')).toBe(4);
  });

  it('F95 counts the events of each pass apart, and those without one as before', async () => {
    const [one, other] = [randomUUID(), randomUUID()].toSorted();
    const read = fixture.newReader();
    const batch = [usageEvent({ duration_ms: 1 }), usageEvent({ pass_id: one, duration_ms: 2 })];
    await read(batchOf([...batch, usageEvent({ pass_id: other }), usageEvent({ pass_id: one, success: false })]));
    await read(batchOf([usageEvent({ pass_id: one, duration_ms: 3 })], 4n));
    await read(batchOf([usageEvent({ duration_ms: 4 })], 5n));
    expect(await fixture.rollups()).toEqual([
      `${consumerId} weather ${hour} f 1 0 ${one}`,
      `${consumerId} weather ${hour} t 1 0 ${other}`,
      `${consumerId} weather ${hour} t 2 5`,
      `${consumerId} weather ${hour} t 2 5 ${one}`,
    ]);
    expect(await fixture.count(`usage.event where pass_id = '${one}'`)).toBe(3);
    expect(await fixture.count('usage.event where pass_id is null')).toBe(2);
  });

  it('F95 counts a key once, by the pass that came first', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const event = usageEvent({ key: 'order-1' });
    await fixture.newReader()(batchOf([{ ...event, pass_id: one }, event, { ...event, pass_id: other }]));
    expect(await fixture.rollups()).toEqual([`${consumerId} weather ${hour} t 1 0 ${one}`]);
    expect(await fixture.count('usage.dead_letter')).toBe(0);
  });

  it('F13 refuses a batch that is delivered twice, and a reader that goes on from its own memory', async () => {
    const batch = batchOf([usageEvent({ key: 'a' }), usageEvent()]);
    const [first, zombie] = [fixture.newReader(), fixture.newReader()];
    await fixture.store.cursorOf(topic, 0);
    await zombie(batchOf([]));
    await first(batch);
    const before = await fixture.rollups();
    await fixture.newReader()(batch); // reads the cursor: all of it is counted
    expect(await fixture.rollups()).toEqual(before);
  });

  it('F13 F14 writes nothing when the cursor has moved on, even where the rows of the events are gone', async () => {
    const events = [usageEvent(), usageEvent()];
    const flush = flushOf(topic, batchOf(events));
    await fixture.store.commit(flush, undefined);
    const before = await fixture.rollups();
    // The event rows would catch a replay too; without them the cursor stands alone.
    await fixture.owner.query('truncate usage.event');
    await expect(fixture.store.commit(flush, undefined)).rejects.toThrow(CursorMoved);
    expect(await fixture.rollups()).toEqual(before);
    expect(await fixture.count('usage.event')).toBe(0);
  });

  it('F05 F27 counts a key once: in a batch, in another batch, in another partition, with another time, for ever', async () => {
    const read = fixture.newReader();
    const first = usageEvent({ key: 'order-1', duration_ms: 7 });
    const later = { ...first, occurred_at: toIso(startMs - 3_600_000), received_at: toIso(startMs + 5_000) };
    await read(batchOf([first, first, later]));
    await read(batchOf([later], 3n));
    await read(batchOf([first], 0n, 1));
    await fixture.owner.query('truncate usage.event'); // its day is past the retention
    await read(batchOf([first], 4n));
    expect(await fixture.rollups()).toEqual([`${consumerId} weather ${hour} t 1 7`]);
    expect(await fixture.count('usage.dead_letter')).toBe(0);
  });

  it('F27 counts an event without a key once when the log holds it twice, at any offset of any partition', async () => {
    const read = fixture.newReader();
    const event = usageEvent();
    await read(batchOf([event, event]));
    await read(batchOf([event], 2n));
    await read(batchOf([event], 0n, 1));
    expect(await fixture.rollups()).toEqual([`${consumerId} weather ${hour} t 1 0`]);
  });

  it('keeps the same key of two accounts apart', async () => {
    await fixture.newReader()(
      batchOf([usageEvent({ key: 'same' }), usageEvent({ key: 'same', consumer_id: randomUUID() })]),
    );
    expect(await fixture.count('usage.event')).toBe(2);
  });
});

describe('F110 late usage', () => {
  const lateUsage = () =>
    fixture.valueOf<unknown>(
      `select json_agg(json_build_object('tool_id', tool_id, 'period', period, 'counts', counts) order by tool_id) from usage.late_usage`,
    );

  it('is named by consumer, tool and month, and goes up with each flush that counts more', async () => {
    const at = '2026-10-31T23:59:59.999Z'; // the clock stands in November
    const october = (toolId = 'weather') => usageEvent({ tool_id: toolId, occurred_at: at, received_at: at });
    const read = fixture.newReader();
    await read(batchOf([october(), october('search'), usageEvent()]));
    await read(batchOf([october(), usageEvent()], 3n));
    expect(await lateUsage()).toEqual([
      { tool_id: 'search', period: '2026-10', counts: 1 },
      { tool_id: 'weather', period: '2026-10', counts: 2 },
    ]);
  });

  it('is named where the watermark of the partition has passed the month, whatever the clock says', async () => {
    const flush = flushOf(topic, batchOf([usageEvent()]));
    await fixture.store.commit(flush, Date.parse('2026-12-02T00:00:00.000Z'));
    expect(await lateUsage()).toEqual([{ tool_id: 'weather', period: '2026-11', counts: 1 }]);
  });
});

describe('what cannot be counted', () => {
  it('F06 refuses a known key with another body, keeps the first, and lists the refusal', async () => {
    const first = usageEvent({ key: 'k', duration_ms: 1 });
    const other = usageEvent({ key: 'k', duration_ms: 2 });
    const read = fixture.newReader();
    await read(batchOf([first, other, first]));
    await read(batchOf([other], 3n));
    expect(await fixture.rollups()).toEqual([`${consumerId} weather ${hour} t 1 1`]);
    const { rows } = await fixture.owner.query(
      'select log_offset, code, consumer_id, event_id, tool_id from usage.dead_letter order by 1',
    );
    expect(rows).toEqual(
      [1, 3].map((offset) => ({
        log_offset: String(offset),
        code: 'idempotency_conflict',
        consumer_id: consumerId,
        event_id: first.event_id,
        tool_id: 'weather',
      })),
    );
  });

  it('F25 keeps records that cannot be decoded as dead letters with their bytes, and counts the rest of the batch', async () => {
    const poison = [
      Buffer.from([0xff, 0xfe]),
      Buffer.from('{"v":1}'),
      Buffer.alloc(0),
      Buffer.from('[['.repeat(5_000)),
      Buffer.from(JSON.stringify({ ...usageEvent(), tool_id: 'a\u0000b' })),
      Buffer.from(JSON.stringify({ ...usageEvent(), duration_ms: 2 ** 63 })),
    ];
    await fixture.newReader()(batchOf([usageEvent(), ...poison, usageEvent()]));
    expect(await fixture.rollups()).toEqual([`${consumerId} weather ${hour} t 2 0`]);
    const { rows } = await fixture.owner.query<{ record: Buffer }>(
      'select record from usage.dead_letter order by log_offset',
    );
    expect(rows.map(({ record }) => record)).toEqual(poison);
    expect(await fixture.store.cursorOf(topic, 0)).toBe(8n);
  });
});

describe('times that a foreign producer invented', () => {
  it.each(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'F25 F43 counts an event of %s, and the partition moves',
    async (at) => {
      await fixture.newReader()(batchOf([eventAt(Date.parse(at))]));
      expect(await fixture.count('usage.event')).toBe(1);
    },
  );
});

describe('failures in a flush', () => {
  it('F12 writes all of a flush or nothing, whichever statement fails', async () => {
    const batch = batchOf([usageEvent({ key: 'a' }), usageEvent({ key: 'a', duration_ms: 9 }), Buffer.from('?')]);
    for (let failing = 1; failing <= 5; failing += 1) {
      const store = fixture.storeOver(failingAt(fixture.database, failing));
      await expect(fixture.newReader(store)(batch)).rejects.toThrow('pulled the plug');
      for (const table of ['usage.event', 'usage.event_key', 'usage.rollup', 'usage.dead_letter'])
        expect(await fixture.count(table)).toBe(0);
      expect(await fixture.store.cursorOf(topic, 0)).toBe(0n);
    }
    await fixture.newReader()(batch);
    expect(await fixture.rollups()).toEqual([`${consumerId} weather ${hour} t 1 0`]);
    expect(await fixture.count('usage.dead_letter')).toBe(2);
  });

  it('F37 four writers of the same events in four orders never deadlock', async () => {
    const failures: unknown[] = [];
    const noting: Database = {
      ...fixture.database,
      transaction: (work) =>
        fixture.database.transaction((tx) =>
          work(tx).catch((error: unknown) => {
            failures.push(error instanceof Error ? error.message : String(error));
            throw error;
          }),
        ),
    };
    const store = fixture.storeOver(noting);
    const others = Array.from({ length: 4 }, (_, index) => `deadlock.${index}`);
    for (const name of others) await fixture.store.registerPartitions(name, 1);
    const consumers = Array.from({ length: 20 }, () => randomUUID());
    for (let round = 0; round < 10; round += 1) {
      const events = Array.from({ length: 200 }, (_, index) =>
        usageEvent({
          key: `${round}-${index}`,
          consumer_id: consumers[index % 20] ?? '',
          tool_id: `tool-${index % 7}`,
        }),
      );
      const orders = [
        events,
        events.toReversed(),
        events.toSorted((a, b) => a.event_id.localeCompare(b.event_id)),
        events.toSorted((a, b) => b.tool_id.localeCompare(a.tool_id)),
      ];
      await Promise.allSettled(
        orders.map((order, index) =>
          store.commit(flushOf(`deadlock.${index}`, batchOf(order, BigInt(round * 200))), undefined),
        ),
      );
    }
    expect(failures).toEqual([]); // a deadlock counts, although its transaction is tried again
    expect(await fixture.count('usage.event')).toBe(2_000);
  }, 60_000);

  it('F44 makes the day of an event that has no table', async () => {
    await fixture.newReader()(batchOf([eventAt(Date.parse('2031-02-03T04:05:06.007Z'))]));
    expect(await fixture.rollups()).toEqual([`${consumerId} weather 2031-02-03 04:00:00 t 1 0`]);
  });
});

/** Returns a flush of the batch as the reader would commit it, past the planning that would refuse it. */
function flushOf(ofTopic: string, batch: LogBatch): Flush {
  const flush = planFlush(batch, batch.firstOffset);
  if (flush === undefined) throw new Error('an empty batch');
  return { ...flush, topic: ofTopic };
}
