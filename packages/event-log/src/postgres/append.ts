import { dayMs } from '@tollgate/kernel/durations';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { dateOf } from '@tollgate/kernel/period';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { EventAppender, LogPosition, LogRecord } from '../event-log.ts';
import { partitionOfKey } from '../partition-of-key.ts';
import { frameRecords } from '../record-framing.ts';
import type { Announcements } from './announcements.ts';
import type { AppendedRun } from './tail.ts';

interface Deps {
  readonly database: Database;
  readonly partitionsOf: (topic: string) => Promise<number>;
  readonly announce: Announcements['announce'];
  readonly clock: Clock;
  readonly log: Logger;
}

const appendBatches = {
  name: 'event_log.append_quietly',
  text: 'select event_log.append_quietly($1, $2, $3, $4, $5, $6) as first_offsets',
};

/** An append is one statement in a transaction of its own, for any number of partitions. */
export function createPostgresAppender({
  database,
  partitionsOf,
  announce,
  clock,
  log,
}: Deps): EventAppender['append'] {
  const ensuredDays = new Map<string, Promise<void>>();

  return async function append(topic, records) {
    if (records.length === 0) return [];
    const appendedAt = clock.now();
    await ensureSegments(appendedAt);
    const groups = groupByPartition(records, await partitionsOf(topic));
    const frames = groups.map((group) => frameRecords(group.records));
    const rows = await database
      .query<{ first_offsets: (bigint | string)[] }>(appendBatches, [
        topic,
        groups.map((group) => group.partition),
        groups.map((group) => group.records.length),
        frames.map((frame) => frame.length),
        Buffer.concat(frames),
        toIso(appendedAt),
      ])
      .catch((error: unknown) => {
        // The segment may be gone: while a clock stood weeks ahead, retention dropped it.
        ensuredDays.delete(dateOf(appendedAt));
        throw error;
      });
    const runs = toRuns(groups, onlyRow(rows).first_offsets);
    announce(topic, runs);
    return toPositions(groups, runs, records.length);
  };

  /** Waits for today's segment. It makes tomorrow's ahead, so that nobody waits at midnight. */
  async function ensureSegments(nowMs: number): Promise<void> {
    const today = dateOf(nowMs);
    const isNew = !ensuredDays.has(today);
    await ensureSegment(today);
    if (isNew) {
      ensureSegment(dateOf(nowMs + dayMs)).catch((error: unknown) =>
        log.warn({ err: error }, "could not make tomorrow's log segment ahead"),
      );
    }
  }

  function ensureSegment(day: string): Promise<void> {
    const running = ensuredDays.get(day);
    if (running !== undefined) return running;
    const ensured = database.query('select event_log.ensure_segment($1)', [day]).then(() => undefined);
    ensuredDays.set(day, ensured);
    ensured.catch(() => ensuredDays.delete(day));
    return ensured;
  }
}

interface PartitionGroup {
  readonly partition: number;
  readonly records: LogRecord[];
  /** The place of each record in the caller's list. */
  readonly places: number[];
}

/** In partition order, so that all appenders lock the partitions' rows in the same order and never deadlock. */
function groupByPartition(records: readonly LogRecord[], partitions: number): PartitionGroup[] {
  const groups = new Map<number, PartitionGroup>();
  records.forEach((record, place) => {
    const partition = partitionOfKey(record.key, partitions);
    let group = groups.get(partition);
    if (group === undefined) groups.set(partition, (group = { partition, records: [], places: [] }));
    group.records.push(record);
    group.places.push(place);
  });
  return [...groups.values()].sort((a, b) => a.partition - b.partition);
}

function toRuns(groups: readonly PartitionGroup[], firstOffsets: readonly (bigint | string)[]): AppendedRun[] {
  return groups.map(({ partition, records }, index) => {
    const firstOffset = firstOffsets[index];
    if (firstOffset === undefined) throw new Error(`an append returned no offset of partition ${partition}`);
    return { partition, firstOffset: BigInt(firstOffset), records };
  });
}

function toPositions(groups: readonly PartitionGroup[], runs: readonly AppendedRun[], count: number): LogPosition[] {
  const positions: LogPosition[] = Array.from({ length: count });
  groups.forEach(({ partition, places }, index) => {
    let offset = runs[index]?.firstOffset ?? 0n;
    for (const place of places) positions[place] = { partition, offset: offset++ };
  });
  return positions;
}
