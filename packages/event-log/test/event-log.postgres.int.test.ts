import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { dataFolderAt } from '@tollgate/database/embedded/open-data-folder';
import { readPostmasterFile } from '@tollgate/database/embedded/postmaster-file';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createPostgresEventLog, type PostgresEventLog, type PostgresEventLogOptions } from '../src/postgres.ts';
import type { Subscription } from '../src/event-log.ts';
import { frameRecords } from '../src/record-framing.ts';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate } from '@tollgate/database/migrate';
import { eventually } from '@tollgate/testkit/eventually';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { eventLogContract, type EventLogHarness } from '@tollgate/testkit/contracts/event-log.contract';

const log = createLogger({ name: 'test', level: 'silent' });
const topic = 'contract.v1';
const partitions = 4;

interface Urls {
  urlFor(role: string): string;
}

function newLog(urls: Urls, options: Partial<PostgresEventLogOptions> = {}): PostgresEventLog {
  return createPostgresEventLog({
    appendUrl: urls.urlFor('ingest_gateway_worker'),
    readUrl: urls.urlFor('aggregator_worker'),
    topics: { [topic]: partitions },
    clock: systemClock,
    log,
    ...options,
  });
}

async function connect(urls: Urls, options: Partial<PostgresEventLogOptions> = {}): Promise<PostgresEventLog> {
  const eventLog = newLog(urls, options);
  await eventLog.start();
  return eventLog;
}

/** Has a cluster of its own, with fsync on, since it kills it. */
async function openHarness(): Promise<EventLogHarness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-log-'));
  await chmod(dataDir, 0o755); // PostgreSQL runs as another user where the tests run as root
  let server = await startEmbeddedPostgres({ dataDir, log });
  await migrate({ ownerUrl: server.ownerUrl, rolePasswords: server.rolePassword, log });
  return {
    topic,
    partitions,
    connect: () => connect(server),
    async crash() {
      await killPostmaster(server, dataDir);
      server = await startEmbeddedPostgres({ dataDir, log });
    },
    async close() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function killPostmaster(server: EmbeddedPostgres, dataDir: string): Promise<void> {
  process.kill(readPostmasterFile(dataFolderAt(dataDir).clusterDir)?.pid ?? 0, 'SIGKILL');
  await server.exited;
  await server.stop();
}

eventLogContract('postgres', openHarness);

describe('the log in PostgreSQL', () => {
  let database: TestDatabase;
  let owner: OracleDatabase;
  let eventLog: PostgresEventLog;
  let subscription: Subscription | undefined;

  beforeAll(async () => {
    database = await testDatabase();
    owner = await connectOracleDatabase(database.ownerUrl);
    eventLog = await connect(database);
  });
  afterAll(async () => {
    await subscription?.stop();
    await eventLog.stop();
    await owner.end();
    await database.drop();
  });

  let seen: string[];

  /** Reads all partitions into `seen`. */
  const readAll = async (from: (partition: number) => bigint = () => 0n): Promise<Subscription> => {
    await subscription?.stop();
    const values: string[] = (seen = []);
    const cursors = new Map<number, bigint>();
    subscription = await eventLog.subscribe({
      topic,
      group: randomUUID(),
      nextOffset: async (partition) => cursors.get(partition) ?? from(partition),
      async onBatch(batch) {
        values.push(...batch.records.map(({ value }) => Buffer.from(value).toString()));
        cursors.set(batch.partition, batch.nextOffset);
      },
      onCaughtUp: async () => undefined,
    });
    return subscription;
  };

  it('F32 hands out an append that commits last after the one that waited for it, and skips neither', async () => {
    await readAll();
    const key = randomUUID();
    const [position] = await eventLog.append(topic, [{ key, value: Buffer.from('before') }]);
    await owner.query('begin');
    await appendRaw(owner, position?.partition ?? 0, 'first to append, last to commit');
    const second = eventLog.append(topic, [{ key, value: Buffer.from('second') }]);
    await new Promise((resolve) => setTimeout(resolve, 200)); // long enough for a reader that could skip to do so
    expect(seen).not.toContain('second');
    await owner.query('commit');
    await second;
    await eventually(() => seen.includes('second'), { withinMs: 5_000 });
    expect(seen).toEqual(['before', 'first to append, last to commit', 'second']);
  });

  it('gathers what arrives under load: a look that finds much is followed by the next after 70 ms', async () => {
    await subscription?.stop();
    const key = randomUUID();
    const records = Array.from({ length: 20 }, () => ({ key, value: Buffer.from('busy') }));
    const [position] = await eventLog.append(topic, records);
    const busy = position?.partition ?? -1;
    const cursors = new Map([[busy, (position?.offset ?? 0n) + 20n]]);
    let batches = 0;
    let handedOut = 0;
    subscription = await eventLog.subscribe({
      topic,
      group: randomUUID(),
      nextOffset: async (partition) => cursors.get(partition) ?? 0n,
      async onBatch(batch) {
        cursors.set(batch.partition, batch.nextOffset);
        if (batch.partition !== busy) return;
        batches += 1;
        handedOut += batch.records.length;
      },
      onCaughtUp: async () => undefined,
    });
    const startedMs = systemClock.monotonicMs();
    let appended = 0;
    while (systemClock.monotonicMs() - startedMs < 1_000) appended += (await eventLog.append(topic, records)).length;
    await eventually(() => handedOut === appended, { withinMs: 5_000 });
    expect(batches).toBeLessThanOrEqual((systemClock.monotonicMs() - startedMs) / 70 + 2);
  });

  it('hands its own reader what it appended as it was decoded, and from the log after a failure', async () => {
    await subscription?.stop();
    const ends = await endsOf(owner);
    const key = randomUUID();
    const seenAs: string[] = [];
    let failures = 0;
    subscription = await eventLog.subscribe({
      topic,
      group: randomUUID(),
      nextOffset: async (partition) => ends.get(partition) ?? 0n,
      async onBatch({ partition, nextOffset, records }) {
        for (const { value, decoded } of records) {
          seenAs.push(`${Buffer.from(value).toString()}, ${decoded === 'as decoded' ? decoded : 'from the log'}`);
        }
        if (failures === 0 && records.some(({ decoded }) => decoded !== undefined)) {
          failures += 1;
          throw new Error('refused once');
        }
        ends.set(partition, nextOffset);
      },
      onCaughtUp: async () => undefined,
    });
    // A reader may read an append from the log before the append is answered, so several are made.
    for (let index = 0; failures === 0; index += 1) {
      expect(index).toBeLessThan(100);
      const [position] = await eventLog.append(topic, [{ key, value: Buffer.from(`${index}`), decoded: 'as decoded' }]);
      const { partition = -1, offset = -1n } = position ?? {};
      await eventually(() => (ends.get(partition) ?? 0n) > offset, { withinMs: 10_000 });
    }
    const refused = seenAs.find((text) => text.endsWith('as decoded'))?.split(',')[0];
    expect(seenAs.filter((text) => text.startsWith(`${refused},`))).toEqual([
      `${refused}, as decoded`,
      `${refused}, from the log`,
    ]);
  });

  it('reads from the log what other processes append between its own, and skips and doubles nothing', async () => {
    const other = await connect(database);
    await readAll();
    const key = randomUUID();
    const appendEach = async (to: PostgresEventLog, name: string): Promise<string[]> => {
      const texts = Array.from({ length: 150 }, (_, index) => `${name} ${index}`);
      for (const text of texts) await to.append(topic, [{ key, value: Buffer.from(text), decoded: text }]);
      return texts;
    };
    const appended = (await Promise.all([appendEach(eventLog, 'own'), appendEach(other, 'other')])).flat();
    const ours = () => seen.filter((text) => /^(own|other) \d+$/.test(text));
    await eventually(() => ours().length >= appended.length, { withinMs: 10_000 });
    expect(ours().sort()).toEqual(appended.sort());
    for (const name of ['own', 'other']) {
      const places = seen.filter((text) => text.startsWith(`${name} `)).map((text) => Number(text.split(' ')[1]));
      expect(places).toEqual(places.toSorted((left, right) => left - right));
    }
    await other.stop();
  });

  it('looks at all partitions at rest by one statement', async () => {
    let lastMs = 0;
    // Two looks never have the same time by this clock.
    const now = () => (lastMs = Math.max(systemClock.now(), lastMs + 1));
    const log = await connect(database, { clock: { ...systemClock, now } });
    const asOf = new Map<number, number>();
    const resting = await log.subscribe({
      topic,
      group: randomUUID(),
      nextOffset: async (partition) => (await endsOf(owner)).get(partition) ?? 0n,
      onBatch: async () => undefined,
      onCaughtUp: async (partition, _offset, at) => void asOf.set(partition, at),
    });
    await eventually(() => asOf.size === partitions && new Set(asOf.values()).size === 1, { withinMs: 10_000 });
    await resting.stop();
    await log.stop();
  });

  it('notifies other processes at most every 50 ms, and once more after the last append', async () => {
    const notifiedAt: number[] = [];
    owner.on('notification', () => notifiedAt.push(systemClock.monotonicMs()));
    await owner.query('listen event_log');
    const startedMs = systemClock.monotonicMs();
    let endedMs = startedMs;
    while (endedMs - startedMs < 500) {
      await eventLog.append(topic, [{ key: randomUUID(), value: Buffer.from('often') }]);
      endedMs = systemClock.monotonicMs();
    }
    await eventually(() => notifiedAt.some((atMs) => atMs >= endedMs), { withinMs: 5_000 });
    await owner.query('unlisten event_log');
    owner.removeAllListeners('notification');
    expect(notifiedAt.length).toBeLessThanOrEqual((systemClock.monotonicMs() - startedMs) / 45 + 2); // timers may be a little early
  });

  it('F32 finds new records without a notification', async () => {
    await readAll();
    await eventually(() => seen.length > 0, { withinMs: 5_000 });
    await owner.query(
      `with moved as (update event_log.partition set next_offset = next_offset + 1 where topic = $1 and partition = 0 returning next_offset)
       insert into event_log.record_batch (topic, partition, next_offset, record_count, appended_at, payload)
       select $1, 0, next_offset, 1, now(), $2 from moved`,
      [topic, frameRecords([{ key: 'k', value: Buffer.from('nobody was notified') }])],
    );
    await eventually(() => seen.includes('nobody was notified'), { withinMs: 2_000 });
  });

  it('F23 stops and says so when records that were not read are gone, and never goes on behind them', async () => {
    const key = randomUUID();
    const [first] = await eventLog.append(topic, [{ key, value: Buffer.from('gone') }]);
    const [last] = await eventLog.append(topic, [{ key, value: Buffer.from('kept') }]);
    const gone = { partition: first?.partition ?? -1, offset: first?.offset ?? -1n };
    expect(last?.offset).toBe(gone.offset + 1n);
    await owner.query('delete from event_log.record_batch where topic = $1 and partition = $2 and next_offset = $3', [
      topic,
      gone.partition,
      gone.offset + 1n,
    ]);
    const reading = await readAll((partition) => (partition === gone.partition ? gone.offset : 0n));
    await expect(reading.failed).rejects.toThrow(/counted up to \d+, but the log goes on at \d+/);
    expect(seen).not.toContain('kept');
  });

  it('refuses another partition count than the topic has, and names the setting', async () => {
    const other = newLog(database, { topics: { [topic]: partitions + 1 } });
    await expect(other.start()).rejects.toThrow('USAGE_EVENT_PARTITIONS=4');
    await other.stop();
  });

  it('gives a new topic two partitions and keeps those of an older one, if the settings name no number', async () => {
    const other = await connect(database, { topics: { [topic]: undefined, 'new.v1': undefined } });
    expect([await other.partitionsOf(topic), await other.partitionsOf('new.v1')]).toEqual([partitions, 2]);
    await other.stop();
  });

  it('reads the records that are not counted, and stops when its caller has enough', async () => {
    const keys = Array.from({ length: 50 }, () => randomUUID()); // in all partitions
    await eventLog.append(
      topic,
      keys.map((key) => ({ key, value: Buffer.from('uncounted') })),
    );
    const countUntil = async (isEnough: (count: number) => boolean) => {
      const enough = new AbortController();
      let count = 0;
      const onRecord = () => {
        count += 1;
        if (isEnough(count)) enough.abort();
      };
      await eventLog.readUncounted(topic, { onRecord, enough: enough.signal });
      return count;
    };
    const all = await countUntil(() => false);
    expect(all).toBeGreaterThanOrEqual(keys.length);
    expect(await countUntil(() => true)).toBeLessThan(all);
  });

  it('F44 makes the segment of a day that has none, and makes it anew after somebody dropped it', async () => {
    const ahead = await connect(database, { clock: { ...systemClock, now: () => Date.UTC(2031, 1, 3) } });
    const append = () => ahead.append(topic, [{ key: 'x', value: Buffer.from('in 2031') }]);
    await append();
    const tomorrow = "select 1 from pg_class where relname = 'record_batch_20310204'";
    await eventually(async () => (await owner.query(tomorrow)).rowCount === 1, { withinMs: 5_000 });
    await owner.query('drop table event_log.record_batch_20310203');
    await append().catch(() => undefined); // its outcome is unknown, as that of any append may be
    expect(await append()).toHaveLength(1);
    await ahead.stop();
  });
});

async function appendRaw(client: OracleDatabase, partition: number, text: string): Promise<void> {
  const payload = frameRecords([{ key: 'k', value: Buffer.from(text) }]);
  await client.query('select event_log.append($1, $2, $3, $4, $5, now())', [
    topic,
    [partition],
    [1],
    [payload.length],
    payload,
  ]);
}

/** The offset after the last record of each partition. */
async function endsOf(owner: OracleDatabase): Promise<Map<number, bigint>> {
  const { rows } = await owner.query<{ partition: number; next_offset: string }>(
    'select partition, next_offset from event_log.partition where topic = $1',
    [topic],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
}
