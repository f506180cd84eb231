import { dayMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import { sessionLifeMs } from './plan-refresh.ts';

export interface SweepLimits {
  readonly sessionsRefreshedBefore: number;
  readonly tokensExpiredBefore: number;
  readonly keysRevokedBefore: number;
  readonly signingKeysRetiredBefore: number;
  /** Only rows whose last change is at most this number: pollers have long seen it. */
  readonly changedSeqMax: bigint;
}

export interface SweepStore {
  /** The number of the latest change so far. */
  changedSeq(): Promise<bigint>;
  /** Deletes and counts. Safe to repeat and to run in two processes at once. */
  sweep(limits: SweepLimits): Promise<Readonly<Record<string, number>>>;
}

/**
 * Deletes what nothing can ask for any more. The clock may be moved by a month in a second, so age alone does not show
 * that all services have seen a revocation: a round only touches what had changed before the round before.
 */
export function createSweepExpired(deps: { store: SweepStore; clock: Clock; accessTokenTtlMs: number }) {
  let seenByAll = 0n;
  return async function sweepExpired(): Promise<Readonly<Record<string, number>>> {
    const changedSeqMax = seenByAll;
    seenByAll = await deps.store.changedSeq();
    const now = deps.clock.now();
    return deps.store.sweep({
      sessionsRefreshedBefore: now - sessionLifeMs - dayMs,
      tokensExpiredBefore: now - dayMs,
      keysRevokedBefore: now - 30 * dayMs,
      signingKeysRetiredBefore: now - sessionLifeMs - deps.accessTokenTtlMs - dayMs,
      changedSeqMax,
    });
  };
}
