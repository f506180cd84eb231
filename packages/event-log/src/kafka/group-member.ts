import { setTimeout as wait } from 'node:timers/promises';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { backOffMs } from '@tollgate/kernel/back-off';
import { createBatchSize, type BatchSize } from '../batch-size.ts';
import type { LogBatch, StoredRecord } from '../event-log.ts';
import { knownRecordOf } from '../known-record.ts';
import { RecordsGone } from '../records-gone.ts';
import type { GroupMember, GroupMemberOptions, Holding } from './holding.ts';
import { createGapCheck } from './log-ends.ts';
import { anchorOf, readOnFrom } from './prove-log.ts';
import { createTaskLimit } from './task-limit.ts';

const unplaced = { cursor: undefined, anchor: undefined, isProven: false };
const backOffBounds = { firstMs: 100, maxMs: 1_500 };
/** A member learns by a heartbeat that its group assigns partitions anew, and until it joins again nobody counts. */
export const heartbeatEveryMs = 100;
/** Longer than a fetch waits for records. A topic cannot go, come and grow beyond its cursor in less. */
const silentForMs = 1_500;
const handlersAtOnce = 4;
/**
 * The least time between two fetches that find records. Without it, a fetch had some 20 events, and each flush costs 1 ms:
 * docs/decisions/0130 has the figures. A fetch after a pause does not wait.
 */
const gatherMs = 100;

/**
 * States of a holding: placed (fetching is paused, the reader's cursor is read and sought) → read, batch after batch.
 * After a failure it is paused, placed again, and read on in smaller batches. Nothing depends on the offsets that Kafka
 * keeps for the group: they are a hint for lag dashboards.
 *
 * When Kafka's client asks for an offset that does not exist, it goes back to the log's beginning. So the first offset
 * of each batch is compared with the cursor, and so are the log's ends in watch-holdings.ts. A gap ends the reading. So
 * does another log under the same name: see prove-log.ts.
 */
export function createGroupMember(options: GroupMemberOptions): GroupMember {
  return {
    ...options,
    refuseGap: createGapCheck(options.topic),
    holdings: new Map(),
    handling: new Map(),
    answeredMs: new Map(),
    withinLimit: createTaskLimit(handlersAtOnce),
  };
}

/** The group has assigned these partitions to us, and no others. */
export function takePartitions(member: GroupMember, partitions: readonly number[]): void {
  member.holdings.clear();
  for (const partition of partitions) {
    const holding = { partition, ...unplaced, isHandling: false, failures: 0, batchSize: createBatchSize() };
    member.holdings.set(partition, holding);
    void place(member, holding);
  }
}

/** A broker has answered a fetch. After a silence, each holding has to find its anchor again before it is read on. */
export function noteAnswer(member: GroupMember, broker: string): void {
  const { holdings, answeredMs, clock } = member;
  const nowMs = clock.monotonicMs();
  const silentMs = nowMs - (answeredMs.get(broker) ?? nowMs);
  answeredMs.set(broker, nowMs);
  if (silentMs < silentForMs) return;
  for (const holding of holdings.values())
    if (holding.cursor !== undefined && holding.anchor === undefined && !holding.isHandling)
      void place(member, holding);
}

/** The consumer's `eachBatch`. Never rejects: some errors would end kafkajs for good while the process lives on. */
export async function handleFetched(member: GroupMember, payload: EachBatchPayload): Promise<void> {
  const { holdings, handling } = member;
  const holding = holdings.get(payload.batch.partition);
  if (holding?.cursor === undefined) return; // fetched before the cursor was known
  const { partition } = holding;
  const done = Promise.withResolvers<void>();
  const gathered = wait(gatherMs, undefined, { signal: member.stopped }).catch(() => undefined);
  let isAnchorAlone = false;
  handling.set(partition, done.promise);
  holding.isHandling = true;
  try {
    isAnchorAlone = !(await member.withinLimit(() => handOut(member, holding, payload)));
  } catch (error) {
    holding.failures += 1;
    noteFailure(member, error, { partition, failures: holding.failures });
    if (isHeld(member, holding)) void place(member, holding);
  } finally {
    holding.isHandling = false;
    if (handling.get(partition) === done.promise) handling.delete(partition);
    done.resolve();
  }
  if (!isAnchorAlone) await gathered; // kafkajs fetches again when all batches of a fetch are handled
}

export function isHeld({ holdings, stopped }: GroupMember, holding: Holding): boolean {
  return !stopped.aborted && holdings.get(holding.partition) === holding;
}

/** Reading fails for good when records are gone; after any other failure it is tried again. */
export function noteFailure(
  { log, topic, holdings, stopped, onFailed }: GroupMember,
  error: unknown,
  facts: object,
): void {
  if (error instanceof RecordsGone) {
    log.fatal({ err: error, topic, ...facts }, 'stopped reading: records are gone, and reading on would skip them');
    holdings.clear();
    onFailed(error);
  } else if (!stopped.aborted) log.warn({ err: error, topic, ...facts }, 'reading the log failed; trying again');
}

/** Pauses fetching at once, and resumes it at the reader's cursor. */
async function place(member: GroupMember, holding: Holding): Promise<void> {
  const { consumer, topic, ends } = member;
  const { partition } = holding;
  const at = [{ topic, partitions: [partition] }];
  holding.cursor = undefined;
  for (; isHeld(member, holding); holding.failures += 1) {
    try {
      consumer.pause(at);
      await member.handling.get(partition); // a handler of an earlier assignment: never two at once per partition
      await backOff(holding, member.stopped);
      const last = await member.lastRecord?.(partition);
      const cursor = await member.nextOffset(partition);
      const found = await ends.look();
      member.refuseGap({ partition, cursor }, found);
      if (!isHeld(member, holding)) return;
      holding.anchor = anchorOf(last, partition, found);
      holding.isProven = holding.anchor === undefined;
      consumer.seek({ topic, partition, offset: String(holding.anchor?.offset ?? cursor) });
      consumer.resume(at);
      holding.cursor = cursor;
      return;
    } catch (error) {
      noteFailure(member, error, { partition });
    }
  }
}

/**
 * Hands out the fetched records in batches as large as the handler can take; an empty batch if only markers were fetched.
 * False: only the anchor was fetched.
 */
async function handOut(member: GroupMember, holding: Holding, { batch, ...run }: EachBatchPayload): Promise<boolean> {
  const { topic } = member;
  const { partition, batchSize } = holding;
  const fetchedTo = BigInt(batch.lastOffset()) + 1n; // after the last record, or a marker that follows it
  const fetched = batch.messages.map(toStoredRecord);
  const begin = await readOnFrom(member, holding, {
    found: BigInt(batch.firstOffset() ?? fetchedTo),
    records: fetched,
  });
  let firstOffset = begin;
  let records = fetched.filter(({ offset }) => offset >= begin);
  const last = records.at(-1);
  run.resolveOffset(String(begin - 1n));
  while (firstOffset < fetchedTo) {
    if (!isHeld(member, holding) || !run.isRunning() || run.isStale()) return true;
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
  if (last === undefined) return begin < fetchedTo;
  holding.anchor = knownRecordOf(last);
  run.resolveOffset(String(last.offset - 1n)); // so that the next fetch begins with it
  return true;
}

interface Handling {
  readonly batchSize: BatchSize;
  readonly heartbeat: () => Promise<void>;
}

/** Sends heartbeats while the handler runs: it may take longer than the group waits for a heartbeat. */
async function handle({ onBatch }: GroupMember, batch: LogBatch, { batchSize, heartbeat }: Handling): Promise<void> {
  // If the group refuses a heartbeat, it refuses the next after the batch, too, and kafkajs joins again.
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

async function backOff({ failures }: Holding, signal: AbortSignal): Promise<void> {
  if (failures === 0) return;
  await wait(backOffMs(failures, backOffBounds), undefined, { signal });
}

function toStoredRecord({ offset, key, value, timestamp, headers }: KafkaMessage): StoredRecord {
  const stored = { offset: BigInt(offset), key: key?.toString('utf8') ?? '', value: value ?? Buffer.alloc(0) };
  const traceparent = headers?.['traceparent']?.toString();
  return { ...stored, appendedAt: Number(timestamp), ...(traceparent !== undefined && { traceparent }) };
}
