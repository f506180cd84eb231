import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresEventLog, type PostgresEventLog } from '@tollgate/event-log/postgres';
import type { LogBatch } from '@tollgate/event-log/event-log';
import { eventually } from '@tollgate/testkit/eventually';
import { createUsageConsumer } from '../../src/counting/usage-consumer.ts';
import { EventLogTransport } from '../../src/counting/event-log-transport.ts';
import { countingFixture, log, partitions, toLogRecord, topic, usageEvent } from '../support/counting-fixture.ts';

const fixture = countingFixture();
let eventLog: PostgresEventLog;
beforeAll(async () => {
  eventLog = createPostgresEventLog({
    appendUrl: fixture.test.urlFor('ingest_gateway_worker'),
    readUrl: fixture.test.urlFor('aggregator_worker'),
    topics: { [topic]: partitions },
    clock: fixture.clock,
    log,
  });
  await eventLog.start();
});
afterAll(() => eventLog.stop());

const appendOne = () => eventLog.append(topic, [toLogRecord(usageEvent())]);

describe('the Nest consumer over the log', () => {
  it('F33 hands a batch out again when its handler throws, inside Nest too', async () => {
    let attempts = 0;
    const handled: LogBatch[] = [];
    const cursors = new Map<number, bigint>();
    const transport = new EventLogTransport({
      eventLog,
      group: 'throwing',
      nextOffset: async (partition) => cursors.get(partition) ?? 0n,
      onCaughtUp: async () => undefined,
      onFailed: () => undefined,
    });
    const consumer = createUsageConsumer(transport, async (batch) => {
      attempts += 1;
      if (attempts < 3) throw new Error('weather');
      cursors.set(batch.partition, batch.nextOffset);
      handled.push(batch);
    });
    await appendOne();
    await consumer.start();
    // If the first batch were lost, the first handled one would be a later one.
    await eventually(() => appendOne().then(() => handled.length > 0), { withinMs: 10_000 });
    await consumer.stop();
    expect(handled[0]).toMatchObject({ firstOffset: 0n });
    expect(attempts).toBeGreaterThanOrEqual(3);
  });
});
