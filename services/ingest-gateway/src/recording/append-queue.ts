import type { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { EventAppender, LogRecord } from '@tollgate/event-log/event-log';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import { notDurableInTime } from './not-durable.ts';

export interface AppendEntry {
  readonly record: LogRecord;
  /** Monotonic ms: after it nobody waits for the record any more, so it is not sent. */
  readonly expiresAtMs: number;
  onDurable(): void;
  /** It may be in the log all the same. */
  onUnknown(error: AppError): void;
}

export interface AppendQueue {
  append(entry: AppendEntry): void;
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>;
}

export interface AppendQueueDeps {
  readonly topic: string;
  readonly eventLog: EventAppender;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Bounds of one append: what PostgreSQL takes in some 50 ms, and a tenth of what Kafka takes in one request. */
const batchRecordsMax = 5_000;
const batchBytesMax = 4 * 1_024 * 1_024;

/** The way into the log. Each entry hears once whether the append that held it is durable, or has failed. */
export function createAppendQueue({ topic, eventLog, clock, log }: AppendQueueDeps): AppendQueue {
  const batcher = createMicroBatcher<AppendEntry>({
    batchItemsMax: batchRecordsMax,
    batchBytesMax,
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
      log.error({ err: error, records: alive.length }, 'an append failed, its events are of unknown outcome');
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
