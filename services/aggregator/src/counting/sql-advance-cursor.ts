import type { Transaction } from '@tollgate/database/database';
import type { KnownRecord } from '@tollgate/event-log/event-log';
import { toIso } from '@tollgate/kernel/clock';

/**
 * The first statement of a flush: its row lock is the fence (READ COMMITTED). It returns no row to a zombie, to a replay,
 * and when the answer to our own COMMIT was lost. Then roll back and read the cursor again. The watermark moves here.
 * Offsets have gaps: never count them.
 */
const text = `update usage.cursor
  set next_offset = $4, counted_through = greatest(counted_through, coalesce($5::timestamptz, counted_through)),
    last_offset = coalesce($6, last_offset), last_appended_at = coalesce($7, last_appended_at), last_hash = coalesce($8, last_hash)
  where topic = $1 and partition = $2 and next_offset = $3
  returning counted_through, key_archives`;

export interface CursorMove {
  readonly topic: string;
  readonly partition: number;
  readonly expectedOffset: bigint;
  readonly nextOffset: bigint;
  readonly countedThrough: string | undefined;
  readonly lastRecord: KnownRecord | undefined;
}

export interface MovedCursor {
  /** Up to when the partition is counted with this flush, epoch ms; -Infinity before its first note. */
  readonly countedThroughMs: number;
  /** How many archives of keys this flush has to know. */
  readonly keyArchives: number;
}

/** Undefined when the cursor did not stand at `expectedOffset`. */
export async function advanceCursor(tx: Transaction, move: CursorMove): Promise<MovedCursor | undefined> {
  const { lastRecord: last } = move;
  const known = last === undefined ? [null, null, null] : [last.offset, toIso(last.appendedAt), last.hash];
  const values = [
    move.topic,
    move.partition,
    move.expectedOffset,
    move.nextOffset,
    move.countedThrough ?? null,
    ...known,
  ];
  const statement = { name: 'usage.advance_cursor', text };
  const [row] = await tx.query<{ counted_through: Date | number; key_archives: number }>(statement, values);
  return row && { countedThroughMs: Number(row.counted_through), keyArchives: row.key_archives };
}
