import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { CursorMoved, type FlushResult, type UsageStore } from './ports.ts';
import { partFreed } from './part-freed.ts';
import { partRepeats, type CountableEvent, type Flush } from './plan-flush.ts';
import { lateUsageOf } from './late-usage.ts';
import { advanceCursor } from './sql-advance-cursor.ts';
import { insertMissingCursors, selectCursor } from './sql-cursors.ts';
import { lockWatermark } from './sql-lock-cursor.ts';
import { moveWatermarks } from './sql-move-watermarks.ts';
import { putConflicts } from './sql-put-conflicts.ts';
import { putDeadLetters } from './sql-put-dead-letters.ts';
import { putFreed } from './sql-put-freed.ts';
import { putLateUsage } from './sql-put-late-usage.ts';
import { recordEvents } from './sql-record-events.ts';
import { createReadTwoIds, type TwoIds } from './two-ids.ts';

export interface PgUsageStoreDeps {
  readonly database: Database;
  /**
   * Makes the tables of the days that a flush writes to, before its transaction: a missing table would block the
   * partition.
   */
  readonly ensureDays: (dates: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}

export function createPgUsageStore({ database, ensureDays, clock }: PgUsageStoreDeps): UsageStore {
  const readTwoIds = createReadTwoIds(database);
  return {
    registerPartitions: (topic, partitions) => insertMissingCursors(database, topic, partitions),
    cursorOf: (topic, partition) => selectCursor(database, topic, partition),
    moveWatermarks: (topic, watermarks) => moveWatermarks(database, topic, watermarks),
    async commit(flush, countedThroughMs) {
      await ensureDays([...new Set(flush.events.map(({ event }) => event.occurred_at.slice(0, 10)))]);
      const twoIds = await readTwoIds();
      return database.transaction((tx) =>
        commitFlush(tx, flush, {
          twoIds,
          countedThrough: countedThroughMs === undefined ? undefined : toIso(countedThroughMs),
          storedAt: toIso(clock.now()),
        }),
      );
    },
  };
}

/** Counts a flush: these statements, in this order, in one transaction. */
async function commitFlush(
  tx: Transaction,
  flush: Flush,
  at: { countedThrough: string | undefined; storedAt: string; twoIds: TwoIds | undefined },
): Promise<FlushResult> {
  const { topic, partition, undecodable } = flush;
  const { events, repeats, freed } = await withoutFreed(tx, flush);
  const countedThroughMs = await advanceCursor(tx, { ...flush, countedThrough: at.countedThrough });
  if (countedThroughMs === undefined) {
    throw new CursorMoved(`partition ${partition} of ${topic} is not at ${flush.expectedOffset}`);
  }
  const place = { topic, partition, storedAt: at.storedAt, twoIds: at.twoIds };
  const none = { recorded: 0, claimed: 0 };
  const { recorded, claimed } = events.length > 0 ? await recordEvents(tx, events, at.twoIds) : none;
  // The cursor's row is locked, so its partition holds the watermark where it stood: a month whose end that had not passed by
  // a day cannot close before this flush is committed. The clock speaks for a partition that the log has only just got.
  const late = lateUsageOf(events, Math.max(countedThroughMs, Date.parse(at.storedAt)));
  if (late.length > 0) await putLateUsage(tx, late);
  const keyed = [...events, ...repeats].filter(({ event }) => event.body_hash !== undefined);
  const conflicts = keyed.length > claimed ? await putConflicts(tx, place, keyed) : 0;
  if (undecodable.length > 0) await putDeadLetters(tx, place, undecodable);
  await putFreed(tx, place, freed);
  return {
    recorded,
    repeats: events.length + repeats.length - recorded - conflicts,
    conflicts: conflicts + freed.length,
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
