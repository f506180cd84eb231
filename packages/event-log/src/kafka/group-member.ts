import { setTimeout as wait } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { backOffMs } from '@tollgate/kernel/back-off';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createBatchSize, type BatchSize } from '../batch-size.ts';
import type { LogBatch, StoredRecord, SubscribeOptions } from '../event-log.ts';
import { RecordsGone } from '../records-gone.ts';
import { createGapCheck, type LogEndsWatch, type RefuseGap } from './log-ends.ts';

export interface GroupMemberOptions extends SubscribeOptions {
  readonly consumer: Consumer;
  readonly ends: LogEndsWatch;
  readonly stopped: AbortSignal;
  readonly log: Logger;
  readonly onFailed: (error: unknown) => void;
}

/** A partition for as long as the group lets us have it: another assignment is another object. */
export interface Holding {
  readonly partition: number;
  /** The reader's own; undefined while it is being asked for, and then nothing is fetched or handled. */
  cursor: bigint | undefined;
  isHandling: boolean;
  failures: number;
  readonly batchSize: BatchSize;
}

export interface GroupMember extends GroupMemberOptions {
  readonly refuseGap: RefuseGap;
  readonly holdings: Map<number, Holding>;
  /** By partition: handlers that run, also those of an assignment that is over. */
  readonly handling: Map<number, Promise<void>>;
}

const backOffBounds = { firstMs: 100, maxMs: 1_500 };
const heartbeatEveryMs = 1_000;

/**
 * A holding is: placed (the reader's cursor is asked for and sought; fetching is paused until then) → read, batch after
 * batch → after a failure paused, placed again and read on, in smaller batches. Nothing of it goes by the offsets that
 * Kafka keeps for the group: they are a hint for lag dashboards.
 *
 * Kafka's client goes back to the log's beginning when it asked for an offset that is not there. So the first offset of
 * each batch, and in watch-holdings.ts the log's ends, are compared with the cursor, and a gap ends the reading.
 */
export function createGroupMember(options: GroupMemberOptions): GroupMember {
  return { ...options, refuseGap: createGapCheck(options.topic), holdings: new Map(), handling: new Map() };
}

/** These partitions are ours now, and no others. */
export function takePartitions(member: GroupMember, partitions: readonly number[]): void {
  member.holdings.clear();
  for (const partition of partitions) {
    const holding = { partition, cursor: undefined, isHandling: false, failures: 0, batchSize: createBatchSize() };
    member.holdings.set(partition, holding);
    void place(member, holding);
  }
}

/** For the consumer's `eachBatch`. Never rejects: at some errors kafkajs would end for good, and the process live on. */
export async function handleFetched(member: GroupMember, payload: EachBatchPayload): Promise<void> {
  const { holdings, handling } = member;
  const holding = holdings.get(payload.batch.partition);
  if (holding?.cursor === undefined) return; // fetched before the cursor was known
  const { partition } = holding;
  const done = Promise.withResolvers<void>();
  handling.set(partition, done.promise);
  holding.isHandling = true;
  try {
    await handOut(member, holding, payload);
  } catch (error) {
    holding.failures += 1;
    noteFailure(member, error, { partition, failures: holding.failures });
    if (isHeld(member, holding)) void place(member, holding);
  } finally {
    holding.isHandling = false;
    if (handling.get(partition) === done.promise) handling.delete(partition);
    done.resolve();
  }
}

export function isHeld({ holdings, stopped }: GroupMember, holding: Holding): boolean {
  return !stopped.aborted && holdings.get(holding.partition) === holding;
}

/** Weather passes; but records that are gone are gone. */
export function noteFailure(
  { log, topic, holdings, stopped, onFailed }: GroupMember,
  error: unknown,
  facts: object,
): void {
  if (error instanceof RecordsGone) {
    log.fatal({ err: error, topic, ...facts }, 'stopped reading rather than skip records');
    holdings.clear();
    onFailed(error);
  } else if (!stopped.aborted) log.warn({ err: error, topic, ...facts }, 'reading the log failed; trying again');
}

/** Fetching is paused at once, and goes on from the reader's cursor. */
async function place(member: GroupMember, holding: Holding): Promise<void> {
  const { consumer, topic, ends } = member;
  const { partition } = holding;
  const at = [{ topic, partitions: [partition] }];
  holding.cursor = undefined;
  for (; isHeld(member, holding); holding.failures += 1) {
    try {
      consumer.pause(at);
      await member.handling.get(partition); // of an assignment before: never two at once a partition
      await backOff(holding, member.stopped);
      const cursor = await member.nextOffset(partition);
      member.refuseGap({ partition, cursor }, await ends.look());
      if (!isHeld(member, holding)) return;
      consumer.seek({ topic, partition, offset: String(cursor) });
      consumer.resume(at);
      holding.cursor = cursor;
      return;
    } catch (error) {
      noteFailure(member, error, { partition });
    }
  }
}

/** All of what was fetched, in batches as large as the handler can take; an empty one where markers are all there is. */
async function handOut(member: GroupMember, holding: Holding, { batch, ...run }: EachBatchPayload): Promise<void> {
  const { topic } = member;
  const { partition, batchSize } = holding;
  const fetchedTo = BigInt(batch.lastOffset()) + 1n; // after the last record, or a marker that follows it
  let firstOffset = BigInt(batch.firstOffset() ?? fetchedTo);
  let records = batch.messages.map(toStoredRecord);
  await refuseSkipped(member, holding, firstOffset);
  while (firstOffset < fetchedTo) {
    if (!isHeld(member, holding) || !run.isRunning() || run.isStale()) return;
    await member.ends.lookIfStale();
    const some = records.slice(0, batchSize.max());
    records = records.slice(some.length);
    const nextOffset = records[0]?.offset ?? fetchedTo;
    const given = { topic, partition, firstOffset, nextOffset, records: some };
    await handle(member, given, { batchSize, heartbeat: run.heartbeat });
    run.resolveOffset(String(nextOffset - 1n));
    holding.cursor = nextOffset;
    holding.failures = 0;
    firstOffset = nextOffset;
  }
}

interface Handling {
  readonly batchSize: BatchSize;
  readonly heartbeat: () => Promise<void>;
}

/** The handler may take longer than the group waits for a sign of life. */
async function handle({ onBatch }: GroupMember, batch: LogBatch, { batchSize, heartbeat }: Handling): Promise<void> {
  // Where it is refused, it is refused again after the batch, and kafkajs joins anew.
  const timer = setInterval(() => void heartbeat().catch(() => undefined), heartbeatEveryMs);
  try {
    await onBatch(batch);
  } catch (error) {
    batchSize.onFailed(batch.records.length);
    throw error;
  } finally {
    clearInterval(timer);
  }
  batchSize.onHandled();
}

/** Offsets may have gaps, so one matters only where the log no longer has what lay in it. */
async function refuseSkipped(member: GroupMember, holding: Holding, firstOffset: bigint): Promise<void> {
  const { partition, cursor } = holding;
  if (cursor === undefined || firstOffset === cursor) return;
  member.refuseGap({ partition, cursor }, await member.ends.look());
  if (firstOffset < cursor) throw new Error(`wanted records from ${cursor} on, was given them from ${firstOffset} on`);
}

async function backOff({ failures }: Holding, signal: AbortSignal): Promise<void> {
  if (failures === 0) return;
  await wait(backOffMs(failures, backOffBounds), undefined, { signal });
}

function toStoredRecord({ offset, key, value }: KafkaMessage): StoredRecord {
  return { offset: BigInt(offset), key: key?.toString('utf8') ?? '', value: value ?? Buffer.alloc(0) };
}
