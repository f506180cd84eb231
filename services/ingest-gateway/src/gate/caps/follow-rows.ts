import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import { createFollower, type Follower } from '@tollgate/runtime/auth/follow-changes';
import { createOverlap, type Overlap } from '@tollgate/runtime/auth/overlap';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { coalesce } from '@tollgate/runtime/timing/coalesce';

/** A row of an account that is followed by the numbers of its changes. */
export interface FollowedRow {
  readonly accountId: string;
  readonly changedSeq: bigint;
}

export interface FollowRowsDeps<Row extends FollowedRow> {
  readonly channel: string;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** In the order of their numbers. */
  readChanged(afterSeq: bigint): Promise<readonly Row[]>;
  /** Whether the row is history, and takes no memory. */
  isGone(row: Row): boolean;
}

export interface FollowedRows<Row> extends Follower {
  /** At most a second old while PostgreSQL can be reached. */
  of(accountId: string): Row | undefined;
  /** Reads what has changed. */
  refresh(): Promise<void>;
}

/** Keeps one row per account in memory. Accounts without one take no memory, and cost a look into this map. */
export function followRows<Row extends FollowedRow>(deps: FollowRowsDeps<Row>): FollowedRows<Row> {
  const { channel, notifications, clock, log, readChanged, isGone } = deps;
  const rows = new Map<string, Row>();
  let overlap: Overlap | undefined;

  const refresh = coalesce(async () => {
    const nowMs = clock.monotonicMs();
    const changed = await readChanged(overlap?.readAfter(nowMs) ?? 0n);
    for (const row of changed) {
      if (isGone(row)) rows.delete(row.accountId);
      else rows.set(row.accountId, row);
    }
    const seq = changed.at(-1)?.changedSeq ?? 0n;
    overlap ??= createOverlap(seq);
    overlap.seen(seq, nowMs);
  });

  const follower = createFollower({ channel, notifications, log, refresh });
  return { ...follower, of: (accountId) => rows.get(accountId), refresh };
}
