import type { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { EventAppender, LogRecord } from '@tollgate/event-log/event-log';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { UnlessCounted } from '../keys/claim.ts';
import type { KeyChecks } from '../keys/look-ups.ts';
import { underLoad } from '../submissions/under-load.ts';
import { notDurableInTime } from './not-durable.ts';

export interface AppendEntry {
  readonly record: LogRecord;
  /** Monotonic ms. After it no caller waits for the record, so it is not sent. */
  readonly expiresAtMs: number;
  /** Undefined: whether its event is counted was looked up before, or it has no key. */
  readonly unlessCounted?: UnlessCounted | undefined;
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
  readonly keys: KeyChecks;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Bounds of one append: PostgreSQL takes this much in some 50 ms, and it is a tenth of Kafka's bound per request. */
const batchRecordsMax = 5_000;
const batchBytesMax = 4 * 1_024 * 1_024;

/** Appends waiting records together. Each entry gets one call: its append is durable, or failed, or did not happen. */
export function createAppendQueue({ topic, eventLog, keys, clock, log }: AppendQueueDeps): AppendQueue {
  const batcher = createMicroBatcher<AppendEntry>({
    batchItemsMax: batchRecordsMax,
    batchBytesMax,
    ...underLoad,
    sizeOf: ({ record }) => record.value.byteLength,
    run: appendBatch,
  });

  async function appendBatch(entries: readonly AppendEntry[]): Promise<void> {
    const alive = dropExpired(entries, clock.monotonicMs());
    // An archive of keys may have come since they were added.
    if (!keys.mustLookUpFirst() && (await append(alive))) return;
    for (const { unlessCounted } of alive) unlessCounted?.onNotAppended();
    const others = alive.filter(({ unlessCounted }) => unlessCounted === undefined);
    await append(dropExpired(others, clock.monotonicMs()));
  }

  /** True: each entry has its outcome. False: nothing was appended. */
  async function append(entries: readonly AppendEntry[]): Promise<boolean> {
    if (entries.length === 0) return true;
    const eventIds = entries.flatMap(({ unlessCounted }) => unlessCounted?.eventId ?? []);
    try {
      if (!(await write(entries, eventIds))) {
        keys.lookUpFirst();
        return false;
      }
    } catch (error) {
      if (eventIds.length > 0) keys.lookUpFirst(); // it may have been the key table that failed
      log.error({ err: error, records: entries.length }, 'an append failed; the outcome of its events is unknown');
      for (const entry of entries) entry.onUnknown(notDurableInTime(error));
      return true;
    }
    for (const entry of entries) entry.onDurable();
    return true;
  }

  async function write(entries: readonly AppendEntry[], eventIds: readonly string[]): Promise<boolean> {
    const records = entries.map(({ record }) => record);
    const positions = await (eventIds.length === 0
      ? eventLog.append(topic, records)
      : eventLog.appendUnlessCounted?.(topic, records, eventIds));
    return positions !== undefined;
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
