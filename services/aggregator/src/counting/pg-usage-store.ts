import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import type { KeyArchives } from '@tollgate/key-archive/key-archives';
import { createCalledTools } from './called-tools.ts';
import { ArchivesMoved, CursorMoved, type FlushResult, type UsageStore } from './ports.ts';
import { partArchived, type PartedByArchive } from './part-archived.ts';
import { partFreed } from './part-freed.ts';
import { partRepeats, type CountableEvent, type Flush } from './plan-flush.ts';
import { lateUsageOf } from './late-usage.ts';
import { advanceCursor } from './sql-advance-cursor.ts';
import { insertMissingCursors, selectCursor } from './sql-cursors.ts';
import { lockWatermark } from './sql-lock-cursor.ts';
import { moveWatermarks } from './sql-move-watermarks.ts';
import { putArchivedConflicts, putConflicts } from './sql-put-conflicts.ts';
import { putDeadLetters } from './sql-put-dead-letters.ts';
import { putFreed } from './sql-put-freed.ts';
import { putLateUsage } from './sql-put-late-usage.ts';
import { recordEvents } from './sql-record-events.ts';

export interface PgUsageStoreDeps {
  readonly database: Database;
  /**
   * Makes the tables of the days that a flush writes to, before its transaction: a missing table would block the
   * partition.
   */
  readonly ensureDays: (dates: readonly string[]) => Promise<void>;
  /** Old keys that are not in the table any more. */
  readonly archives: Pick<KeyArchives, 'known' | 'find' | 'refresh'>;
  readonly clock: Clock;
}

export function createPgUsageStore({ database, ensureDays, archives, clock }: PgUsageStoreDeps): UsageStore {
  const calledTools = createCalledTools();

  /** Keys are looked for before the transaction, which is refused if an archive was made meanwhile. */
  async function commitWhole(flush: Flush, countedThrough: string | undefined): Promise<FlushResult> {
    const known = archives.known();
    const parted = known === 0 ? unparted(flush) : await partByArchives(archives, flush);
    const at = { countedThrough, storedAt: toIso(clock.now()), keyArchives: known };
    const called = calledTools.begin();
    const result = await database.transaction((tx) => commitFlush(tx, parted, { ...at, noteCalls: called.note }));
    called.keep();
    return result;
  }

  return {
    registerPartitions: (topic, partitions) => insertMissingCursors(database, topic, partitions),
    cursorOf: (topic, partition) => selectCursor(database, topic, partition),
    moveWatermarks: (topic, watermarks) => moveWatermarks(database, topic, watermarks),
    async commit(flush, countedThroughMs) {
      await ensureDays([...new Set(flush.events.map(({ event }) => event.occurred_at.slice(0, 10)))]);
      const countedThrough = countedThroughMs === undefined ? undefined : toIso(countedThroughMs);
      try {
        return await commitWhole(flush, countedThrough);
      } catch (error) {
        if (!(error instanceof ArchivesMoved)) throw error;
        await archives.refresh();
        return commitWhole(flush, countedThrough);
      }
    },
  };
}

function unparted(flush: Flush): PartedByArchive {
  return { flush, repeats: 0, conflicts: [] };
}

async function partByArchives(archives: PgUsageStoreDeps['archives'], flush: Flush): Promise<PartedByArchive> {
  const keyed = [...flush.events, ...flush.repeats].filter(({ event }) => event.body_hash !== undefined);
  return partArchived(flush, await archives.find([...new Set(keyed.map(({ event }) => event.event_id))]));
}

interface CommitAt {
  readonly countedThrough: string | undefined;
  readonly storedAt: string;
  /** How many archives were searched for the keys of the flush. */
  readonly keyArchives: number;
  /** Notes the tools of events that are counted now. */
  readonly noteCalls: (tx: Transaction, events: readonly CountableEvent[]) => Promise<void>;
}

/** Counts a flush: these statements, in this order, in one transaction. */
async function commitFlush(tx: Transaction, parted: PartedByArchive, at: CommitAt): Promise<FlushResult> {
  const { flush } = parted;
  const { topic, partition, undecodable } = flush;
  const { events, repeats, freed } = await withoutFreed(tx, flush);
  const moved = await advanceCursor(tx, { ...flush, countedThrough: at.countedThrough });
  if (moved === undefined)
    throw new CursorMoved(`partition ${partition} of ${topic} is not at ${flush.expectedOffset}`);
  if (moved.keyArchives > at.keyArchives) throw new ArchivesMoved(`there are ${moved.keyArchives} archives of keys`);
  const place = { topic, partition, storedAt: at.storedAt };
  const none = { recorded: 0, claimed: 0 };
  const { recorded, claimed } = events.length > 0 ? await recordEvents(tx, events) : none;
  // The cursor's row is locked, so its partition holds the watermark where it stood: a month whose end that had not passed by
  // a day cannot close before this flush is committed. The clock speaks for a partition that the log has only just got.
  const late = lateUsageOf(events, Math.max(moved.countedThroughMs, Date.parse(at.storedAt)));
  if (late.length > 0) await putLateUsage(tx, late);
  const keyed = [...events, ...repeats].filter(({ event }) => event.body_hash !== undefined);
  const conflicts = keyed.length > claimed ? await putConflicts(tx, place, keyed) : 0;
  if (parted.conflicts.length > 0) await putArchivedConflicts(tx, place, parted.conflicts);
  if (undecodable.length > 0) await putDeadLetters(tx, place, undecodable);
  await putFreed(tx, place, freed);
  await at.noteCalls(tx, events); // flushes of other partitions may wait for its rows, so it is the last statement
  return {
    recorded,
    repeats: events.length + repeats.length - recorded - conflicts + parted.repeats,
    conflicts: conflicts + freed.length + parted.conflicts.length,
    undecodable: undecodable.length,
  };
}

type Admitted = Pick<Flush, 'events' | 'repeats'> & { readonly freed: readonly CountableEvent[] };

/** Only events that a gate holds money for need the watermark, so other flushes have no statement more. */
async function withoutFreed(tx: Transaction, { topic, partition, events, repeats }: Flush): Promise<Admitted> {
  if (!events.some(({ event }) => event.hold_expires_at !== undefined)) return { events, repeats, freed: [] };
  const countedThroughMs = await lockWatermark(tx, topic, partition);
  const inOrder = [...events, ...repeats].sort((left, right) => Number(left.offset - right.offset));
  const { countable, freed } = partFreed(inOrder, countedThroughMs);
  const { first, repeats: further } = partRepeats(countable);
  return { events: first, repeats: further, freed };
}
