import type { LogRecord, StoredRecord } from '../event-log.ts';

/** Records that an append put into a partition, one after the other. */
export interface AppendedRun {
  readonly partition: number;
  readonly firstOffset: bigint;
  readonly records: readonly LogRecord[];
}

/**
 * The records that this process appended to a partition since its reader last looked. The reader takes them from here,
 * which saves a query to PostgreSQL and the decoding. The tail is only a shortcut: a record that is missing here is
 * read from the log. docs/decisions/0213 has the figures.
 */
export interface Tail {
  /** Takes the run of a durable append. Beyond a bound the run is left to the log. */
  offer(run: AppendedRun): void;
  /** Takes the records that follow `nextOffset` without a gap, and forgets all others. */
  take(nextOffset: bigint): StoredRecord[];
}

/** The most bytes of values that a partition keeps: some 7,000 common events. At full load a look finds some 2,000. */
const heldBytesMax = 2 * 1024 * 1024;

export function createTail(): Tail {
  let runs: AppendedRun[] = [];
  let heldBytes = 0;

  return {
    offer(run) {
      const bytes = bytesOf(run);
      if (heldBytes + bytes > heldBytesMax) return;
      runs.push(run);
      heldBytes += bytes;
    },
    take(nextOffset) {
      const inOrder = runs.sort((left, right) => Number(left.firstOffset - right.firstOffset));
      runs = [];
      heldBytes = 0;
      return recordsFrom(inOrder, nextOffset);
    },
  };
}

/** Another process may have appended in between, or the answers to two appends may have overtaken each other. */
function recordsFrom(runs: readonly AppendedRun[], nextOffset: bigint): StoredRecord[] {
  const taken: StoredRecord[] = [];
  let offset = nextOffset;
  for (const { firstOffset, records } of runs) {
    if (firstOffset > offset) break;
    if (firstOffset < offset) continue; // read from the log before its append was answered
    for (const { key, value, decoded, traceparent } of records)
      taken.push({ offset: offset++, key, value, decoded, traceparent });
  }
  return taken;
}

function bytesOf({ records }: AppendedRun): number {
  let bytes = 0;
  for (const { value } of records) bytes += value.byteLength;
  return bytes;
}
