import type { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { EventAppender, LogRecord } from '@tollgate/event-log/event-log';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import { underLoad } from '../submissions/under-load.ts';
import { notDurableInTime } from './not-durable.ts';

export interface AppendEntry {
  readonly record: LogRecord;
  /** Monotonic ms. After it no caller waits for the record, so it is not sent. */
  readonly expiresAtMs: number;
  onDurable(): void;
  /** The record may be in the log all the same. */
  onUnknown(error: AppError): void;
}

export interface AppendQueue {
  append(entry: AppendEntry): void;
  /** Resolves once every record added so far has its outcome. */
  idle(): Promise<void>;
}

export interface AppendQueueDeps {
  readonly topic: string;
  readonly eventLog: EventAppender;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Bounds of one append: PostgreSQL takes this much in some 50 ms, and it is a tenth of Kafka's bound per request. */
const batchRecordsMax = 5_000;
const batchBytesMax = 4 * 1_024 * 1_024;

/** Appends waiting records together. Each entry gets one call: its append is durable, or its append failed. */
export function createAppendQueue({ topic, eventLog, clock, log }: AppendQueueDeps): AppendQueue {
  const batcher = createMicroBatcher<AppendEntry>({
    batchItemsMax: batchRecordsMax,
    batchBytesMax,
    ...underLoad,
    sizeOf: ({ record }) => record.value.byteLength,
    run: appendBatch,
  });

  async function appendBatch(entries: readonly AppendEntry[]): Promise<void> {
    const alive = dropExpired(entries, clock.monotonicMs());
    if (alive.length === 0) return;
    try {
      await eventLog.append(
        topic,
        alive.map(({ record }) => record),
      );
    } catch (error) {
      log.error({ err: error, records: alive.length }, 'an append failed, the outcome of its events is unknown');
      for (const entry of alive) entry.onUnknown(notDurableInTime(error));
      return;
    }
    for (const entry of alive) entry.onDurable();
  }

  return { append: batcher.add, idle: batcher.idle };
}

function dropExpired(entries: readonly AppendEntry[], nowMs: number): readonly AppendEntry[] {
  if (entries.every(({ expiresAtMs }) => expiresAtMs > nowMs)) return entries;
  return entries.filter((entry) => {
    const isAlive = entry.expiresAtMs > nowMs;
    if (!isAlive) entry.onUnknown(notDurableInTime());
    return isAlive;
  });
}
