import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import type { LogBatch } from '../event-log.ts';
import { createBatchSize, type BatchSize } from '../batch-size.ts';
import { RecordsGone, recordsGone } from '../records-gone.ts';
import { readBatches, type ReadResult } from './read-batches.ts';
import type { EndsReader } from './read-ends.ts';
import type { PostgresSubscribeOptions } from './subscribe-options.ts';
import type { Tail } from './tail.ts';
import type { WakeUp } from './wake-up.ts';

export interface ReadPartitionOptions extends PostgresSubscribeOptions {
  readonly partition: number;
  readonly wakeUp: WakeUp;
  readonly tail: Tail;
  /** Shared by the readers of the topic. */
  readonly ends: EndsReader;
}

interface Progress {
  readonly batchSize: BatchSize;
  onProgress(): void;
}

interface Look extends ReadResult {
  /** Epoch ms, read before the query. */
  readonly asOf: number;
  readonly rings: number;
}

/**
 * The least time between two looks at a partition. Under load every append rings. A flush for each ring costs more than
 * its events: four statements for a handful of rows, 1 ms in all. A look that found much is followed by a later one, so
 * that flushes are fewer and larger. A look after a pause does not wait. docs/decisions/0130 has the figures.
 */
const paceMs = { afterFew: 40, afterMany: 70 };
const manyRecords = 16;
const caughtUpEveryMs = 400;
const backOffBounds = { firstMs: 100, maxMs: 5_000 };

/** Reads one leased partition until `signal` ends the lease. Throws RecordsGone; it outlasts any other failure. */
export async function readPartition(options: ReadPartitionOptions, signal: AbortSignal): Promise<void> {
  let failures = 0;
  const progress = { batchSize: createBatchSize(), onProgress: () => void (failures = 0) };
  while (!signal.aborted) {
    try {
      await readOn(options, signal, progress);
    } catch (error) {
      if (error instanceof RecordsGone) throw error;
      failures += 1;
      options.log.warn(
        { err: error, topic: options.topic, partition: options.partition, failures },
        'a batch was not handled; it is handed out again',
      );
      await wait(backOffMs(failures, backOffBounds), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Reads from the reader's own cursor on, until something throws or the lease ends. */
async function readOn(
  options: ReadPartitionOptions,
  signal: AbortSignal,
  { batchSize, onProgress }: Progress,
): Promise<void> {
  const { topic, partition, clock, wakeUp, ends } = options;
  let cursor = await options.nextOffset(partition);
  await refuseCursorBeyondEnd(options, cursor);
  const noteCaughtUp = createCaughtUpNotes(options);
  let ahead: Promise<Look> | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let pace = paceMs.afterFew;
  let lookNext = look;
  while (!signal.aborted) {
    const restMs = lookedMs + pace - clock.monotonicMs();
    if (!ahead && restMs > 0) await wait(restMs);
    lookedMs = clock.monotonicMs();
    const found = await (ahead ?? lookNext(options, cursor));
    ahead = undefined;
    lookNext = look;
    pace = paceAfter(found);
    const batch = toBatch(topic, partition, found.records.slice(0, batchSize.max()));
    if (batch !== undefined) {
      if (batch.firstOffset > cursor) throw recordsGone({ topic, partition, cursor, found: batch.firstOffset });
      if (found.isFull) ahead = lookAhead(options, batch.nextOffset);
      await handle(options, batch, batchSize);
      cursor = batch.nextOffset;
    } else {
      await noteCaughtUp(cursor, found.asOf);
      const isCalled = await wakeUp.wait(found.rings, ends.restMs());
      if (!isCalled) lookNext = lookAtEnd;
    }
    onProgress();
  }
}

/** Tells the subscriber that the reader has caught up, unless it was notified a moment ago. */
function createCaughtUpNotes({ partition, clock, onCaughtUp }: ReadPartitionOptions) {
  let notified: { readonly monotonicMs: number; readonly asOf: number } | undefined;
  return async (cursor: bigint, asOf: number): Promise<void> => {
    const monotonicMs = clock.monotonicMs();
    // Either clock counts: a caller that moves the sandbox's clock waits for the watermark.
    if (notified && Math.max(monotonicMs - notified.monotonicMs, asOf - notified.asOf) < caughtUpEveryMs) return;
    await onCaughtUp(partition, cursor, asOf);
    notified = { monotonicMs: clock.monotonicMs(), asOf };
  };
}

function paceAfter({ records }: ReadResult): number {
  return records.length < manyRecords ? paceMs.afterFew : paceMs.afterMany;
}

async function look(
  { database, topic, partition, clock, wakeUp, tail }: ReadPartitionOptions,
  nextOffset: bigint,
): Promise<Look> {
  const rings = wakeUp.rings();
  const asOf = clock.now();
  const records = tail.take(nextOffset);
  if (records.length > 0) return { records, isFull: false, asOf, rings };
  return { ...(await readBatches(database, { topic, partition, nextOffset })), asOf, rings };
}

/** A look of a reader that nobody called. It reads batches only if records have come all the same. */
async function lookAtEnd(options: ReadPartitionOptions, cursor: bigint): Promise<Look> {
  const { nextOffsets, asOf, rings } = await options.ends.read();
  if (nextOffsets.get(options.partition) !== cursor) return look(options, cursor);
  return { records: [], isFull: false, asOf, rings };
}

/** Fetches the next batch while this one is counted. If counting fails, nobody uses it. */
function lookAhead(options: ReadPartitionOptions, nextOffset: bigint): Promise<Look> {
  const found = look(options, nextOffset);
  found.catch(() => undefined);
  return found;
}

async function handle({ onBatch }: ReadPartitionOptions, batch: LogBatch, batchSize: BatchSize): Promise<void> {
  try {
    await onBatch(batch);
  } catch (error) {
    batchSize.onFailed(batch.records.length);
    throw error;
  }
  batchSize.onHandled();
}

function toBatch(topic: string, partition: number, records: LogBatch['records']): LogBatch | undefined {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { topic, partition, firstOffset: first.offset, nextOffset: last.offset + 1n, records };
}

async function refuseCursorBeyondEnd(options: ReadPartitionOptions, cursor: bigint): Promise<void> {
  const { topic, partition } = options;
  const [row] = await options.database.query<{ next_offset: bigint }>(
    'select next_offset from event_log.partition where topic = $1 and partition = $2',
    [topic, partition],
  );
  if (row === undefined || row.next_offset < cursor)
    throw recordsGone({ topic, partition, cursor, found: row?.next_offset });
}
