import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import type { EventLog, LogBatch, LogPosition, SubscribeOptions, Subscription } from '@tollgate/event-log/event-log';
import { busyMs, eventually } from '../eventually.ts';
import { appendEach } from './append-each.ts';

/** A running log to which a test connects several times, as several processes would. */
export interface EventLogHarness {
  /** The topic that every test here writes to. */
  readonly topic: string;
  readonly partitions: number;
  /** Returns a started log. The suite stops it. */
  connect(): Promise<EventLog>;
  /** Kills the server and starts it again. Earlier connections need not survive. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** The promises of every event log. The tests share one log: each looks only at its own keys. */
export function eventLogContract(name: string, open: () => Promise<EventLogHarness>): void {
  describe(`event log: ${name}`, () => {
    let harness: EventLogHarness;
    let opened: EventLog[] = [];
    let subscriptions: Subscription[] = [];

    beforeAll(async () => {
      harness = await open();
    }, 60_000);
    afterEach(async () => {
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
      await Promise.all(opened.map((log) => log.stop()));
      subscriptions = [];
      opened = [];
    });
    afterAll(() => harness?.close());

    const connect = async (): Promise<EventLog> => {
      const log = await harness.connect();
      opened.push(log);
      return log;
    };

    /** Reads with cursors in memory, where a service keeps them in its database. */
    const read = async (log: EventLog, options: Partial<SubscribeOptions> = {}): Promise<Reading> => {
      const reading = createReading(options);
      const subscription = await log.subscribe({ topic: harness.topic, group: randomUUID(), ...reading.options });
      subscriptions.push(subscription);
      return { ...reading, subscription };
    };

    const appendIds = (log: EventLog, ids: readonly string[], key?: string) => {
      const records = ids.map((id) => record(id, key));
      return log.append(harness.topic, records);
    };

    it('keeps what it acknowledged, through a kill of its server', async () => {
      const log = await connect();
      const ids = makeIds(200);
      const acknowledged: string[] = [];
      await appendEach(ids, async (id) => {
        await log.append(harness.topic, [record(id)]);
        acknowledged.push(id);
      });
      await log.stop();
      await harness.crash();
      const reading = await read(await connect());
      await eventually(() => reading.has(acknowledged), { withinMs: 30_000 });
    }, 60_000);

    it('hands out the records of a key from one partition, in their order, at the positions that it returned', async () => {
      const log = await connect();
      const key = randomUUID();
      const ids = makeIds(60);
      const positions: LogPosition[] = [];
      for (let at = 0; at < ids.length; at += 20)
        positions.push(...(await appendIds(log, ids.slice(at, at + 20), key)));
      const reading = await read(log);
      await eventually(() => reading.has(ids), { withinMs: 10_000 });
      expect(reading.idsOf(key)).toEqual(ids);
      const found = reading.seen().filter((each) => each.key === key);
      expect(found.map(({ partition, offset }) => ({ partition, offset }))).toEqual(positions);
      expect(new Set(positions.map(({ partition }) => partition)).size).toBe(1);
    });

    it('hands out the bytes and the key as they were appended', async () => {
      const log = await connect();
      const key = `${randomUUID()}:ключ-🗝`;
      const values = [Buffer.from([0, 255, 10, 13, 0x7b, 0]), Buffer.alloc(0)];
      const appended = values.map((value) => ({ key, value }));
      await log.append(harness.topic, appended);
      const { batches } = await read(log);
      const found = () => batches.flatMap(({ records }) => records).filter((each) => each.key === key);
      await eventually(() => found().length === 2, { withinMs: 10_000 });
      expect(found().map(({ value }) => Buffer.from(value))).toEqual(values);
    });

    it('skips nothing when many append at once', async () => {
      const logs = [await connect(), await connect()];
      const reading = await read(await connect());
      const ids = makeIds(200);
      await appendEach(ids, (id, index) => logs[index % 2]?.append(harness.topic, [record(id)]));
      await eventually(() => reading.has(ids), { withinMs: 20_000 });
      for (const offsets of Object.values(reading.offsetsByPartition())) {
        expect(offsets).toEqual(offsets.toSorted((a, b) => Number(a - b)));
        expect(new Set(offsets).size).toBe(offsets.length);
      }
    }, 30_000);

    it('starts at the cursor that the reader returns', async () => {
      const log = await connect();
      const key = randomUUID();
      const ids = makeIds(10);
      const positions = await appendIds(log, ids, key);
      const [start] = positions.slice(6);
      const reading = await read(log, {
        nextOffset: async (partition) => (partition === start?.partition ? start.offset : 0n),
      });
      await eventually(() => reading.has(ids.slice(6)), { withinMs: 10_000 });
      expect(reading.idsOf(key)).toEqual(ids.slice(6));
    });

    it('stops when the reader has counted further than the log goes, as after a log restored from a backup', async () => {
      const reading = await read(await connect(), { nextOffset: async () => 1_000_000n });
      await expect(reading.subscription.failed).rejects.toThrow('counted up to 1000000, but the log goes on at');
      expect(reading.seen()).toEqual([]);
    }, 60_000);

    it('hands out a batch again, and no later one, until its handler has resolved', async () => {
      const log = await connect();
      const key = randomUUID();
      const ids: string[] = [];
      let failures = 0;
      const reading = await read(log, {
        async onBatch(batch) {
          if (idsOf(batch).some((id) => ids.includes(id)) && failures < 3) {
            failures += 1;
            throw new TypeError('the database is away');
          }
        },
      });
      const appendMore = async (): Promise<void> => {
        const [id = ''] = makeIds(1);
        ids.push(id);
        await log.append(harness.topic, [record(id, key)]);
      };
      const handled = () => reading.idsOf(key);
      // It appends until one is handled. A log that went on behind the failed batch would hand out a later one now.
      await eventually(() => appendMore().then(() => handled().length > 0), { withinMs: 15_000 });
      expect(handled()).toEqual(ids.slice(0, handled().length));
      await eventually(() => reading.has(ids), { withinMs: 15_000 });
      expect(failures).toBe(3);
      expect(handled()).toEqual(ids);
    }, 30_000);

    it('F369 hands out with each record the trace that it came with, and none with others', async () => {
      const log = await connect();
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const key = randomUUID();
      const [traced, untraced] = [record('traced', key), record('untraced', key)];
      await log.append(harness.topic, [{ ...traced, traceparent }, untraced]);
      const other = await connect(); // it has nothing of the appending process at hand
      const { batches } = await read(other);
      const found = () => batches.flatMap(({ records }) => records).filter((each) => each.key === key);
      await eventually(() => found().length === 2, { withinMs: 10_000 });
      expect(found().map((each) => each.traceparent)).toEqual([traceparent, undefined]);
      expect(found().map(({ value }) => Buffer.from(value).toString())).toEqual(['traced', 'untraced']);
    });

    it('hands out smaller batches to a handler that fails at large ones', async () => {
      const log = await connect();
      const key = randomUUID();
      const ids = makeIds(100);
      await appendIds(log, ids, key);
      const reading = await read(log, {
        async onBatch(batch) {
          if (batch.records.length > 10) throw new Error('it takes longer than a statement may');
        },
      });
      await eventually(() => reading.has(ids), { withinMs: 20_000 });
      expect(reading.idsOf(key)).toEqual(ids);
    }, 30_000);

    it('never runs two handlers of one partition at once', async () => {
      const log = await connect();
      const running = new Set<number>();
      let overlaps = 0;
      const reading = await read(log, {
        async onBatch({ partition }) {
          if (running.has(partition)) overlaps += 1;
          running.add(partition);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running.delete(partition);
        },
      });
      const ids = makeIds(300);
      await appendEach(ids, (id) => log.append(harness.topic, [record(id)]));
      await eventually(() => reading.has(ids), { withinMs: 20_000 });
      expect(overlaps).toBe(0);
    }, 30_000);

    it('gives each partition to one member of a group, and to another when that one stops', async () => {
      const group = randomUUID();
      const cursors = new Map<number, bigint>();
      const first = createReading({}, cursors);
      const second = createReading({}, cursors);
      const firstSubscription = await (await connect()).subscribe({ topic: harness.topic, group, ...first.options });
      const log = await connect();
      const before = makeIds(40);
      await appendIds(log, before);
      await eventually(() => first.has(before), { withinMs: 20_000 });
      subscriptions.push(await (await connect()).subscribe({ topic: harness.topic, group, ...second.options }));
      await firstSubscription.stop();
      const after = makeIds(40);
      await appendIds(log, after);
      await eventually(() => second.has(after), { withinMs: 20_000 });
      const both = [...first.seen(), ...second.seen()].map(({ partition, offset }) => `${partition}/${offset}`);
      expect(new Set(both).size).toBe(both.length);
    }, 60_000);

    it('reports each partition as caught up every second, also when idle, and only when it is', async () => {
      const log = await connect();
      const calls: CaughtUp[] = [];
      const cursors = new Map<number, bigint>();
      const reading = await read(log, {
        nextOffset: async (partition) => cursors.get(partition) ?? 0n,
        onBatch: async (batch) => void cursors.set(batch.partition, batch.nextOffset),
        async onCaughtUp(partition, nextOffset, asOf) {
          calls.push({ partition, at: systemClock.monotonicMs(), asOf, handled: cursors.get(partition), nextOffset });
        },
      });
      const ids = makeIds(20);
      await appendIds(log, ids);
      await eventually(() => reading.has(ids), { withinMs: 10_000 });
      const partitions = Array.from({ length: harness.partitions }, (_, partition) => partition);
      const callsOf = (partition: number) => calls.filter((call) => call.partition === partition);
      await eventually(() => partitions.every((partition) => callsOf(partition).length >= 4), { withinMs: 10_000 });
      for (const own of partitions.map(callsOf)) {
        const gaps = own.slice(1).map(({ at }, index) => at - (own[index]?.at ?? at));
        expect(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]).toBeLessThan(1_500);
        expect(Math.max(...gaps)).toBeLessThan(1_000 + busyMs);
        expect(own.every(({ handled, nextOffset }) => nextOffset === (handled ?? 0n))).toBe(true);
        const asOf = own.map((call) => call.asOf);
        expect(asOf).toEqual(asOf.toSorted((a, b) => a - b));
      }
    }, 30_000);

    it('waits for the running handler when a subscription stops', async () => {
      const log = await connect();
      const entered = Promise.withResolvers<void>();
      const letGo = Promise.withResolvers<void>();
      let isDone = false;
      const reading = await read(log, {
        async onBatch() {
          entered.resolve();
          await letGo.promise;
          isDone = true;
        },
      });
      await appendIds(log, makeIds(1));
      await entered.promise;
      const stopped = reading.subscription.stop();
      letGo.resolve();
      await stopped;
      expect(isDone).toBe(true);
    });

    it('takes a record of a megabyte and a thousand records at once', async () => {
      const log = await connect();
      const [large = ''] = makeIds(1);
      const many = makeIds(1_000);
      await log.append(harness.topic, [{ key: large, value: Buffer.from(`${large} ${'x'.repeat(1_000_000)}`) }]);
      await appendIds(log, many);
      const reading = await read(log);
      await eventually(() => reading.has([large, ...many]), { withinMs: 20_000 });
    }, 30_000);

    it('knows how many partitions a topic has, and refuses an unknown topic', async () => {
      const log = await connect();
      expect(await log.partitionsOf(harness.topic)).toBe(harness.partitions);
      await expect(log.partitionsOf('no.such.topic')).rejects.toThrow('no.such.topic');
      await expect(log.append('no.such.topic', [record('x')])).rejects.toThrow('no.such.topic');
    });
  });
}

interface CaughtUp {
  readonly partition: number;
  readonly at: number;
  readonly asOf: number;
  /** The cursor at the time of the call. */
  readonly handled: bigint | undefined;
  readonly nextOffset: bigint;
}

interface Seen {
  readonly id: string;
  readonly key: string;
  readonly partition: number;
  readonly offset: bigint;
}

interface Reading {
  readonly options: Pick<SubscribeOptions, 'nextOffset' | 'onBatch' | 'onCaughtUp'>;
  readonly batches: LogBatch[];
  seen(): Seen[];
  /** The ids of the records with this key, in the order in which they were handed out. */
  idsOf(key: string): string[];
  has(ids: readonly string[]): boolean;
  offsetsByPartition(): Record<string, bigint[]>;
  readonly subscription: Subscription;
}

/** Remembers the batches whose handler resolved. */
function createReading(
  overrides: Partial<SubscribeOptions>,
  cursors = new Map<number, bigint>(),
): Omit<Reading, 'subscription'> {
  const batches: LogBatch[] = [];
  const ids = new Set<string>();
  return {
    batches,
    options: {
      nextOffset: overrides.nextOffset ?? (async (partition) => cursors.get(partition) ?? 0n),
      async onBatch(batch) {
        await overrides.onBatch?.(batch);
        cursors.set(batch.partition, batch.nextOffset);
        batches.push(batch);
        for (const id of idsOf(batch)) ids.add(id);
      },
      onCaughtUp: overrides.onCaughtUp ?? (async () => undefined),
    },
    has: (wanted) => wanted.every((id) => ids.has(id)),
    seen: () => batches.flatMap(toSeen),
    idsOf: (key) =>
      batches
        .flatMap(toSeen)
        .filter((found) => found.key === key)
        .map(({ id }) => id),
    offsetsByPartition: () => {
      const offsets: Record<string, bigint[]> = {};
      for (const { partition, offset } of batches.flatMap(toSeen)) (offsets[partition] ??= []).push(offset);
      return offsets;
    },
  };
}

function toSeen(batch: LogBatch): Seen[] {
  return batch.records.map(({ key, value, offset }) => ({ id: idOf(value), key, partition: batch.partition, offset }));
}

function idsOf(batch: LogBatch): string[] {
  return batch.records.map(({ value }) => idOf(value));
}

function idOf(value: Uint8Array): string {
  return Buffer.from(value).toString('utf8', 0, 36);
}

function makeIds(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID());
}

function record(id: string, key: string = id) {
  return { key, value: Buffer.from(id) };
}
