import type { Queryable } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createFollower } from '@tollgate/runtime/auth/follow-changes';
import { createLookupOnMiss } from '@tollgate/runtime/auth/lookup-on-miss';
import { createOverlap, type Overlap } from '@tollgate/runtime/auth/overlap';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { coalesce } from '@tollgate/runtime/timing/coalesce';
import { createPassMemory } from './pass-memory.ts';
import type { Pass } from './pass.ts';
import { findPassesByHash, findPassesById, readChangedPasses, readLivePasses } from './sql-pass.ts';

/** The live passes, kept in memory. They stay usable while PostgreSQL is away. */
export interface PassDirectory extends Service {
  /**
   * The pass that a key opens, by the key's SHA-256 in base64: at once if memory knows it, else from PostgreSQL. Undefined
   * for a key that is unknown, revoked, expired, or replaced longer ago than its grace. Rejects with `unavailable`.
   */
  find(keyHash: string): Pass | undefined | Promise<Pass | undefined>;
  /** As `find`, but from memory alone: undefined also for a key that memory lacks. */
  known(keyHash: string): Pass | undefined;
  /** As PostgreSQL has it now, whatever memory knows. */
  lookUp(keyHash: string): Promise<Pass | undefined>;
  /** As memory has it. */
  byId(passId: string): Pass | undefined;
  /** As PostgreSQL has it now; undefined for an id that is unknown or revoked. Rejects with `unavailable`. */
  lookUpById(passId: string): Promise<Pass | undefined>;
  /** Reads the changes now, for a caller that has just made one. */
  refresh(): Promise<void>;
}

export interface PassDirectoryDeps {
  /** Connects as a role that may read all passes. */
  readonly database: Queryable;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
}

const channel = 'passes_changed';

/** Follows the table by NOTIFY and by polling, so a change is known within a second. */
export function createPassDirectory({ database, notifications, clock, log }: PassDirectoryDeps): PassDirectory {
  const { apply, has, byId, judge } = createPassMemory(clock);
  let overlap: Overlap | undefined;

  async function read(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const rows = overlap ? await readChangedPasses(database, overlap.readAfter(nowMs)) : await readLivePasses(database);
    for (const row of rows) apply(row);
    const greatest = rows.reduce((seq, row) => (row.changedSeq > seq ? row.changedSeq : seq), 0n);
    overlap ??= createOverlap(greatest);
    overlap.seen(greatest, nowMs);
  }

  const lookUp = createLookupOnMiss(async (hashes) => {
    const found = await findPassesByHash(
      database,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    for (const entry of found) apply(entry);
    return new Map(hashes.map((hash) => [hash, judge(hash)]));
  });

  const lookUpById = createLookupOnMiss(async (asked) => {
    const found = await findPassesById(database, asked);
    for (const entry of found) apply(entry);
    const live = new Set(found.map(({ pass }) => pass.passId));
    return new Map(asked.map((passId) => [passId, live.has(passId) ? byId(passId) : undefined]));
  });

  const refresh = coalesce(read);
  const follower = createFollower({ channel, notifications, log, refresh });
  return {
    name: 'pass-directory',
    start: follower.start,
    stop: follower.stop,
    readiness: () => ({ passes: follower.state() }),
    find: (keyHash) => (has(keyHash) ? judge(keyHash) : lookUp(keyHash)),
    known: judge,
    lookUp,
    byId,
    lookUpById,
    refresh,
  };
}
