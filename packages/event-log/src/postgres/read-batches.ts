import type { Queryable } from '@tollgate/database/database';
import type { StoredRecord } from '../event-log.ts';
import { unframeRecords } from '../record-framing.ts';

export interface ReadFrom {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: bigint;
}

export interface ReadResult {
  readonly records: readonly StoredRecord[];
  /** The byte limit cut the result: more records wait. */
  readonly isFull: boolean;
}

interface Row {
  readonly next_offset: bigint;
  readonly record_count: number;
  readonly payload: Buffer;
  readonly bytes_through: string;
}

/** octet_length of a compressed value reads only its header, so the limit costs nothing. */
const selectBatches = {
  name: 'event_log.read_batches',
  text: `select next_offset, record_count, payload, bytes_through
    from (select next_offset, record_count, payload, sum(octet_length(payload)) over (order by next_offset) as bytes_through
          from event_log.record_batch
          where topic = $1 and partition = $2 and next_offset > $3
          order by next_offset limit 512) t
    where bytes_through - octet_length(payload) < $4
    order by next_offset`,
};
const readBytesMax = 4 * 1024 * 1024;

/** Records at and after an offset, some megabytes at a time; an appended batch is never split over two answers. */
export async function readBatches(
  database: Queryable,
  { topic, partition, nextOffset }: ReadFrom,
): Promise<ReadResult> {
  const rows = await database.query<Row>(selectBatches, [topic, partition, nextOffset, readBytesMax]);
  const records = rows.flatMap((row) => unframeRecords(row.payload, row.next_offset - BigInt(row.record_count)));
  const isFull = Number(rows.at(-1)?.bytes_through ?? 0) >= readBytesMax;
  return { records: records.filter(({ offset }) => offset >= nextOffset), isFull };
}
