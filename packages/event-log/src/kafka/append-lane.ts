import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { AppError } from '@tollgate/kernel/app-error';
import type { Producer, RecordMetadata } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import { within } from '@tollgate/runtime/timing/within';
import type { LogPosition, LogRecord } from '../event-log.ts';
import { partitionOfKey } from '../partition-of-key.ts';
import type { Renewable } from './renewable.ts';

export interface AppendLaneOptions {
  readonly topic: string;
  readonly partitions: number;
  readonly producer: Renewable<Producer>;
  /** How long an append may take, waiting included; then it is rejected, and may be in the log all the same. */
  readonly deadlineMs: number;
  readonly log: Logger;
}

export interface AppendLane {
  append(records: readonly LogRecord[]): Promise<readonly LogPosition[]>;
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>;
}

/** One call of `append`: it goes whole, and is told once, whatever is told to it later. */
interface Entry {
  readonly messages: readonly Message[];
  readonly bytes: number;
  isSettled(): boolean;
  onDurable(positions: readonly LogPosition[]): void;
  /** A try that failed: what its deadline is told as the reason. */
  onFailed(cause: unknown): void;
  onUnknown(cause?: unknown): void;
}

interface Message {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
}

/** Of one request, unless one append alone is larger. A topic takes twice that: see topics.ts. */
const requestBytesMax = 4 * 1024 * 1024;
/** Of all that waits: one more append is refused at once, for kafkajs itself would take it, and the next, until memory ends. */
const heldRecordsMax = 50_000;
const heldBytesMax = 64 * 1024 * 1024;
const recordOverheadBytes = 100;
const sendTimeoutMs = 3_000;
const backOffBounds = { firstMs: 50, maxMs: 500 };

/** What is wrong with a record, not with the machine: the same again would be refused again, and hold up all others. */
const refusals = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);

/**
 * The way into one topic: one request on its way, and no lingering; the next leaves when it is acknowledged, with all
 * that came meanwhile. So batches grow with the load, a key keeps its order, and after an outage nothing storms.
 *
 * A request that fails is of unknown outcome. It is sent again by a new producer until each of its appends has met its
 * deadline, so a record may be in the log twice; counting removes that. The producer is never idempotent: kafkajs then
 * acknowledges records that were never written, after an answer was lost.
 */
export function createAppendLane({ topic, partitions, producer, deadlineMs, log }: AppendLaneOptions): AppendLane {
  let heldRecords = 0;
  let heldBytes = 0;
  const batcher = createMicroBatcher<Entry>({
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
    const told = Promise.withResolvers<readonly LogPosition[]>();
    const messages = records.map((record) => toMessage(record, partitions));
    batcher.add(createEntry({ messages, bytes, deadlineMs, told }));
    heldRecords += messages.length;
    heldBytes += bytes;
    return told.promise;
  }

  async function appendBatch(entries: readonly Entry[]): Promise<void> {
    await appendAll(entries);
    for (const { messages, bytes } of entries) {
      heldRecords -= messages.length;
      heldBytes -= bytes;
    }
  }

  /** Until each is told. Never rejects. */
  async function appendAll(entries: readonly Entry[]): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      const alive = entries.filter((entry) => !entry.isSettled());
      if (alive.length === 0) return;
      try {
        const positions = positionsOf(alive, await sendAll(alive, { topic, producer }));
        alive.forEach((entry, index) => entry.onDurable(positions[index] ?? []));
        return;
      } catch (error) {
        tell(error, { topic, appends: alive.length, failures });
        for (const entry of alive) entry.onFailed(error);
        producer.drop();
        if (isRefusal(error)) return appendOneByOne(alive, error);
        await wait(backOffMs(failures + 1, backOffBounds));
      }
    }
  }

  /** Weather passes by itself; what is denied to us somebody has to give back. */
  function tell(error: unknown, facts: object): void {
    if (isDenied(error)) log.error({ err: error, ...facts }, 'Kafka denies us access; trying again');
    else log.warn({ err: error, ...facts }, 'a request to Kafka failed; trying again');
  }

  /** One of them is refused for what it is; the others must not suffer for it. */
  async function appendOneByOne(entries: readonly Entry[], error: unknown): Promise<void> {
    if (entries.length === 1) for (const entry of entries) entry.onUnknown(error);
    else for (const entry of entries) await appendAll([entry]);
  }

  return { append, idle: batcher.idle };
}

async function sendAll(
  entries: readonly Entry[],
  { topic, producer }: Pick<AppendLaneOptions, 'topic' | 'producer'>,
): Promise<RecordMetadata[]> {
  const messages = entries.flatMap((entry) => entry.messages);
  const sent = producer.get().then((client) => client.send({ topic, acks: -1, timeout: sendTimeoutMs, messages }));
  return within(sent, sendTimeoutMs, () => {
    throw new Error(`Kafka has not answered for ${sendTimeoutMs} ms`);
  });
}

interface EntryOptions extends Pick<Entry, 'messages' | 'bytes'> {
  readonly deadlineMs: number;
  readonly told: PromiseWithResolvers<readonly LogPosition[]>;
}

function createEntry({ messages, bytes, deadlineMs, told }: EntryOptions): Entry {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
    clearTimeout(timer);
  };
  let lastFailure: unknown;
  const onUnknown = (cause: unknown = lastFailure): void => {
    settle();
    told.reject(unknownOutcome(cause));
  };
  const timer = setTimeout(onUnknown, deadlineMs);
  return {
    messages,
    bytes,
    isSettled: () => isSettled,
    onFailed: (cause) => void (lastFailure = cause),
    onUnknown,
    onDurable(positions) {
      settle();
      told.resolve(positions);
    },
  };
}

function toMessage({ key, value }: LogRecord, partitions: number): Message {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength); // a view, no copy
  return { partition: partitionOfKey(key, partitions), key, value: bytes };
}

/**
 * Kafka tells the first offset of each partition; within one, records lie in the order in which they were sent. kafkajs
 * resolves, and leaves out the records, where it does not know a partition: what has no offset is not in the log.
 */
function positionsOf(entries: readonly Entry[], answers: readonly RecordMetadata[]): LogPosition[][] {
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

function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { type, cause } = error as { readonly type?: unknown; readonly cause?: unknown }; // of kafkajs
  return refusals.has(String(type)) || isRefusal(cause);
}

/** By our credentials or by what they may do. */
function isDenied(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, type, cause } = error as { readonly name?: unknown; readonly type?: unknown; readonly cause?: unknown }; // of kafkajs
  return (
    name === 'KafkaJSSASLAuthenticationError' ||
    /AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$/.test(String(type)) ||
    isDenied(cause)
  );
}

function unknownOutcome(cause?: unknown): AppError {
  return unavailable('The log did not take the records in time; they may be in it all the same.', cause);
}

function notTaken(): AppError {
  return unavailable('The log is too far behind to take more. Try again shortly.');
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
