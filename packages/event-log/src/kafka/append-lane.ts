import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import type { Producer, RecordMetadata } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import { within } from '@tollgate/runtime/timing/within';
import type { LogPosition, LogRecord } from '../event-log.ts';
import { createAppendEntry, notTaken, toMessage, type AppendEntry } from './append-entry.ts';
import { isDenied, isRefusal } from './kafka-errors.ts';
import type { Renewable } from './renewable.ts';

export interface AppendLaneOptions {
  readonly topic: string;
  readonly partitions: number;
  readonly producer: Renewable<Producer>;
  /** How long an append may take, waiting included. After that it is rejected, and may be in the log all the same. */
  readonly deadlineMs: number;
  readonly log: Logger;
}

export interface AppendLane {
  append(records: readonly LogRecord[]): Promise<readonly LogPosition[]>;
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>;
}

/** The size of one request, unless one append alone is larger. A topic takes twice that: see topics.ts. */
const requestBytesMax = 4 * 1024 * 1024;
/** Bounds of all that waits. A further append is rejected at once: kafkajs itself would take appends until memory ends. */
const heldRecordsMax = 50_000;
const heldBytesMax = 64 * 1024 * 1024;
const recordOverheadBytes = 100;
const sendTimeoutMs = 3_000;
const backOffBounds = { firstMs: 50, maxMs: 500 };

/**
 * The way into one topic. One request is on its way at a time, without lingering. When it is acknowledged, the next
 * request leaves with all appends that arrived meanwhile. So batches grow with the load, records of a key keep their
 * order, and an outage ends without a storm.
 *
 * The outcome of a failed request is unknown. A new producer sends it again until each of its appends has met its
 * deadline. So a record may be in the log twice; counting removes the second. The producer is never idempotent: after a
 * lost answer, an idempotent producer of kafkajs acknowledges records that were never written.
 */
export function createAppendLane({ topic, partitions, producer, deadlineMs, log }: AppendLaneOptions): AppendLane {
  let heldRecords = 0;
  let heldBytes = 0;
  const batcher = createMicroBatcher<AppendEntry>({
    batchItemsMax: Number.POSITIVE_INFINITY,
    batchBytesMax: requestBytesMax,
    sizeOf: ({ bytes }) => bytes,
    run: appendBatch,
  });

  function append(records: readonly LogRecord[]): Promise<readonly LogPosition[]> {
    const bytes = records.reduce((sum, { key, value }) => sum + key.length + value.length + recordOverheadBytes, 0);
    if (heldRecords + records.length > heldRecordsMax || heldBytes + bytes > heldBytesMax) {
      return Promise.reject(notTaken());
    }
    const outcome = Promise.withResolvers<readonly LogPosition[]>();
    const messages = records.map((record) => toMessage(record, partitions));
    batcher.add(createAppendEntry({ messages, bytes, deadlineMs, outcome }));
    heldRecords += messages.length;
    heldBytes += bytes;
    return outcome.promise;
  }

  async function appendBatch(entries: readonly AppendEntry[]): Promise<void> {
    await appendAll(entries);
    for (const { messages, bytes } of entries) {
      heldRecords -= messages.length;
      heldBytes -= bytes;
    }
  }

  /** Sends until each entry has settled. Never rejects. */
  async function appendAll(entries: readonly AppendEntry[]): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      const alive = entries.filter((entry) => !entry.isSettled());
      if (alive.length === 0) return;
      try {
        const positions = positionsOf(alive, await sendAll(alive, { topic, producer }));
        alive.forEach((entry, index) => entry.onDurable(positions[index] ?? []));
        return;
      } catch (error) {
        logFailure(error, { topic, appends: alive.length, failures });
        for (const entry of alive) entry.onFailed(error);
        producer.drop();
        if (isRefusal(error)) return appendOneByOne(alive, error);
        await wait(backOffMs(failures + 1, backOffBounds));
      }
    }
  }

  /** An outage passes by itself; a denial ends only when somebody restores our rights. */
  function logFailure(error: unknown, facts: object): void {
    if (isDenied(error)) log.error({ err: error, ...facts }, 'Kafka denies us access; trying again');
    else log.warn({ err: error, ...facts }, 'a request to Kafka failed; trying again');
  }

  /** Kafka refuses a whole request for a single bad record; the other records must not fail with it. */
  async function appendOneByOne(entries: readonly AppendEntry[], error: unknown): Promise<void> {
    if (entries.length === 1) for (const entry of entries) entry.onUnknown(error);
    else for (const entry of entries) await appendAll([entry]);
  }

  return { append, idle: batcher.idle };
}

async function sendAll(
  entries: readonly AppendEntry[],
  { topic, producer }: Pick<AppendLaneOptions, 'topic' | 'producer'>,
): Promise<RecordMetadata[]> {
  const messages = entries.flatMap((entry) => entry.messages);
  const sent = producer.get().then((client) => client.send({ topic, acks: -1, timeout: sendTimeoutMs, messages }));
  return within(sent, sendTimeoutMs, () => {
    throw new Error(`Kafka has not answered for ${sendTimeoutMs} ms`);
  });
}

/**
 * Kafka answers the first offset of each partition; its records lie in the order in which they were sent. If kafkajs does
 * not know a partition, it resolves and leaves its records out: a record without an offset is not in the log.
 */
function positionsOf(entries: readonly AppendEntry[], answers: readonly RecordMetadata[]): LogPosition[][] {
  const next = new Map(answers.map(({ partition, baseOffset }) => [partition, BigInt(baseOffset ?? -1)]));
  return entries.map(({ messages }) =>
    messages.map(({ partition }) => {
      const offset = next.get(partition) ?? -1n;
      if (offset < 0n) throw new Error(`Kafka's answer has no offset for partition ${partition}`);
      next.set(partition, offset + 1n);
      return { partition, offset };
    }),
  );
}
