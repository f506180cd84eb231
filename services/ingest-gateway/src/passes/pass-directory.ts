import type { Queryable } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createFollower } from '@tollgate/runtime/auth/follow-changes';
import { createLookupOnMiss } from '@tollgate/runtime/auth/lookup-on-miss';
import { createOverlap, type Overlap } from '@tollgate/runtime/auth/overlap';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { coalesce } from '@tollgate/runtime/timing/coalesce';
import type { Pass } from './pass.ts';
import { findPassesByHash, findPassesById, readChangedPasses, readLivePasses, type PassEntry } from './sql-pass.ts';

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
  const entries = new Map<string, PassEntry>();
  const passIds = new Map<string, string>();
  let overlap: Overlap | undefined;

  /** Rows are applied in the order of their changes; what memory has newer stays. */
  function apply(entry: PassEntry): void {
    const { passId } = entry.pass;
    const known = entries.get(passId);
    if (known !== undefined) {
      if (known.changedSeq > entry.changedSeq) return;
      for (const hash of hashesOf(known)) passIds.delete(hash);
    }
    entries.delete(passId);
    if (entry.isRevoked) return;
    entries.set(passId, entry);
    for (const hash of hashesOf(entry)) passIds.set(hash, passId);
  }

  async function read(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const rows = overlap ? await readChangedPasses(database, overlap.readAfter(nowMs)) : await readLivePasses(database);
    for (const row of rows) apply(row);
    const greatest = rows.reduce((seq, row) => (row.changedSeq > seq ? row.changedSeq : seq), 0n);
    overlap ??= createOverlap(greatest);
    overlap.seen(greatest, nowMs);
  }

  function judge(keyHash: string): Pass | undefined {
    const entry = entries.get(passIds.get(keyHash) ?? '');
    if (entry === undefined) return undefined;
    const nowMs = clock.now();
    const { pass, oldKeyHash, oldKeyUntilMs } = entry;
    if (pass.expiresAtMs !== undefined && nowMs >= pass.expiresAtMs) return undefined;
    return oldKeyHash === keyHash && nowMs >= oldKeyUntilMs ? undefined : pass;
  }

  const lookUp = createLookupOnMiss(async (hashes) => {
    const found = await findPassesByHash(
      database,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    for (const entry of found) apply(entry);
    return new Map(hashes.map((hash) => [hash, judge(hash)]));
  });

  const lookUpById = createLookupOnMiss(async (passIds) => {
    const found = await findPassesById(database, passIds);
    for (const entry of found) apply(entry);
    return new Map(found.map(({ pass }) => [pass.passId, pass]));
  });

  const refresh = coalesce(read);
  const follower = createFollower({ channel, notifications, log, refresh });
  return {
    name: 'pass-directory',
    start: follower.start,
    stop: follower.stop,
    readiness: () => ({ passes: follower.state() }),
    find: (keyHash) => (passIds.has(keyHash) ? judge(keyHash) : lookUp(keyHash)),
    known: judge,
    lookUp,
    byId: (passId) => entries.get(passId)?.pass,
    lookUpById,
    refresh,
  };
}

function hashesOf({ keyHash, oldKeyHash }: PassEntry): string[] {
  return oldKeyHash === undefined ? [keyHash] : [keyHash, oldKeyHash];
}
