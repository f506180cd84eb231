import type { Queryable } from '@tollgate/database/database';
import type { KnownRecord } from '../event-log.ts';

/** Up to where a partition is counted. */
export interface PartitionCursor {
  readonly partition: number;
  readonly nextOffset: bigint;
  readonly lastRecord: KnownRecord | undefined;
}

interface CursorRow {
  readonly partition: number;
  readonly next_offset: bigint;
  readonly last_offset: bigint | null;
  readonly last_appended_at: Date | null;
  readonly last_hash: Buffer | null;
}

const text = `select partition, next_offset, last_offset, last_appended_at, last_hash from usage.cursor
  where topic = $1 and partition = coalesce($2, partition) order by partition`;

export async function readCursors(db: Queryable, topic: string): Promise<PartitionCursor[]> {
  return (await db.query<CursorRow>(text, [topic, null])).map(fromRow);
}

/** The record of the partition that was counted last; undefined before the first. */
export async function readLastRecord(
  db: Queryable,
  topic: string,
  partition: number,
): Promise<KnownRecord | undefined> {
  return (await db.query<CursorRow>(text, [topic, partition])).map(fromRow)[0]?.lastRecord;
}

function fromRow(row: CursorRow): PartitionCursor {
  const {
    partition,
    next_offset: nextOffset,
    last_offset: offset,
    last_appended_at: appendedAt,
    last_hash: hash,
  } = row;
  const isKnown = offset !== null && appendedAt !== null && hash !== null;
  const lastRecord = isKnown ? { offset, appendedAt: appendedAt.getTime(), hash } : undefined;
  return { partition, nextOffset, lastRecord };
}
