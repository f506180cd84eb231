import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { onlyRow, type Database, type Statement } from '@tollgate/database/database';
import type { EventAppender, LogPosition, LogRecord } from '../event-log.ts';
import { partitionOfKey } from '../partition-of-key.ts';
import { frameRecords } from '../record-framing.ts';
import type { Announcements } from './announcements.ts';
import { createSegments } from './segments.ts';
import type { AppendedRun } from './tail.ts';

interface Deps {
  readonly database: Database;
  readonly partitionsOf: (topic: string) => Promise<number>;
  readonly announce: Announcements['announce'];
  readonly clock: Clock;
  readonly log: Logger;
}

const appendAlways = {
  name: 'event_log.append',
  text: 'select event_log.append($1, $2, $3, $4, $5, $6) as first_offsets',
};
const appendUnlessCounted = {
  name: 'event_log.append_unless_counted',
  text: 'select event_log.append_unless_counted($7, $1, $2, $3, $4, $5, $6) as first_offsets',
};

/** An append is one statement in a transaction of its own, for any number of partitions. */
export function createPostgresAppender(deps: Deps): Required<Omit<EventAppender, 'probe'>> {
  const { database, partitionsOf, announce, clock, log } = deps;
  const segments = createSegments(database, log);

  return {
    async append(topic, records) {
      const positions = await write(topic, records, { statement: appendAlways });
      if (positions === undefined) throw new Error('an append returned no offsets');
      return positions;
    },
    appendUnlessCounted: (topic, records, eventIds) =>
      write(topic, records, { statement: appendUnlessCounted, values: [eventIds] }),
  };

  /** Undefined: the statement has appended nothing. */
  async function write(
    topic: string,
    records: readonly LogRecord[],
    { statement, values = [] }: { readonly statement: Statement; readonly values?: readonly unknown[] },
  ): Promise<readonly LogPosition[] | undefined> {
    if (records.length === 0) return [];
    const appendedAt = clock.now();
    await segments.ensure(appendedAt);
    const groups = groupByPartition(records, await partitionsOf(topic));
    const frames = groups.map((group) => frameRecords(group.records));
    const rows = await database
      .query<{ first_offsets: (bigint | string)[] | null }>(statement, [
        topic,
        groups.map((group) => group.partition),
        groups.map((group) => group.records.length),
        frames.map((frame) => frame.length),
        Buffer.concat(frames),
        toIso(appendedAt),
        ...values,
      ])
      .catch((error: unknown) => {
        segments.forget(appendedAt);
        throw error;
      });
    const { first_offsets: firstOffsets } = onlyRow(rows);
    if (firstOffsets === null) return undefined;
    const runs = toRuns(groups, firstOffsets);
    announce(topic, runs);
    return toPositions(groups, runs, records.length);
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
