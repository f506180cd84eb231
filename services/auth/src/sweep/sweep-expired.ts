import { dayMs, hourMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { sessionAgeMaxMs, sessionLifeMs } from '@tollgate/kernel/session-life';
import { deleteExpired, readChangedSeq } from './sql-expired.ts';

interface Deps {
  /** Connects as auth_worker: the rows belong to many accounts. */
  readonly worker: Database;
  readonly clock: Clock;
  /** Logins of devices, cookies, embeds and OAuth go by it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly accessTokenTtlMs: number;
}

/**
 * Deletes rows that no request can need any more, and counts them. The clock may be moved by a month within a second, so
 * age alone does not show that all services have seen a revocation. A round only deletes rows that had changed before the
 * round before. Safe to repeat, and to run in two processes at once.
 */
export function createSweepExpired({ worker, clock, realTime, accessTokenTtlMs }: Deps) {
  let seenByAll = 0n;
  return async function sweepExpired(): Promise<Readonly<Record<string, number>>> {
    const changedSeqMax = seenByAll;
    seenByAll = await readChangedSeq(worker);
    const now = clock.now();
    return deleteExpired(worker, {
      now,
      sessionsRefreshedBefore: now - sessionLifeMs - dayMs,
      sessionsCreatedBefore: now - sessionAgeMaxMs - dayMs,
      tokensExpiredBefore: now - dayMs,
      keysRevokedBefore: now - 30 * dayMs,
      signingKeysRetiredBefore: now - sessionLifeMs - accessTokenTtlMs - dayMs,
      deviceLoginsExpiredBefore: realTime.now() - hourMs,
      oauthExpiredBefore: realTime.now(),
      cookiesUsedBefore: realTime.now() - sessionLifeMs,
      embedsExpiredBefore: realTime.now() - dayMs,
      cookiesCreatedBefore: realTime.now() - sessionAgeMaxMs,
      changedSeqMax,
    });
  };
}
