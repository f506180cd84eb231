import type { KnownRecord, StoredRecord } from '../event-log.ts';
import { isKnownRecord } from '../known-record.ts';
import { anotherLog } from '../records-gone.ts';
import type { GroupMember, Holding } from './holding.ts';
import type { LogEnds } from './log-ends.ts';

/**
 * Offsets do not tell a topic from one that was made anew under its name and has grown beyond the cursor. So a placed
 * holding is read from its anchor on: the record that was handled last. The reading ends unless the log has it there. Each
 * fetch after one with records begins with an anchor, too: the handler may have been busy while the topic went and came.
 * A fetch that waits for records needs none. It begins at once when the one before has ended, and it fails with its topic.
 */
interface Fetched {
  /** The first offset that was fetched. */
  readonly found: bigint;
  readonly records: readonly StoredRecord[];
}

/** The anchor of a holding that is placed. Undefined: nothing was read yet, or retention has deleted it. */
export function anchorOf(
  last: KnownRecord | undefined,
  partition: number,
  { partitions }: LogEnds,
): KnownRecord | undefined {
  return last !== undefined && last.offset >= (partitions.get(partition)?.low ?? 0n) ? last : undefined;
}

/** Where to read on in what was fetched. Throws RecordsGone when it is of another log, or records are gone before it. */
export async function readOnFrom(member: GroupMember, holding: Holding, { found, records }: Fetched): Promise<bigint> {
  const { partition, cursor, anchor } = holding;
  if (cursor === undefined) return found;
  if (anchor === undefined) {
    if (found !== cursor) await refuseSkipped(member, { partition, cursor, found });
    return found;
  }
  if (!isKnownRecord(records[0], anchor)) {
    const { topic } = member;
    const isThere = anchorOf(anchor, partition, await member.ends.look()) !== undefined;
    if (isThere) throw anotherLog({ topic, partition, offset: anchor.offset });
    throw new Error(`partition ${partition} of ${topic}: retention has just deleted the record at ${anchor.offset}`);
  }
  holding.anchor = undefined;
  holding.isProven = true;
  return cursor;
}

/** Offsets may have gaps. A gap matters only where the log no longer has the records that lay in it. */
async function refuseSkipped(
  { refuseGap, ends }: GroupMember,
  { partition, cursor, found }: Pick<Holding, 'partition'> & { readonly cursor: bigint; readonly found: bigint },
): Promise<void> {
  refuseGap({ partition, cursor }, await ends.look());
  if (found < cursor)
    throw new Error(`asked Kafka for records from offset ${cursor} on, and got them from ${found} on`);
}
