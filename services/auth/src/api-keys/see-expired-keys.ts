import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { seeExpiredKeys } from './sql-expired-api-key.ts';

interface Deps {
  /** Connects as auth_worker: the keys belong to many accounts. */
  readonly worker: Database;
  readonly clock: Clock;
}

const keysMax = 500;

/**
 * Tells owners of the keys that have expired since the last look, each key once: its mark and what is told are one
 * transaction. Safe to stop anywhere, and to run in two processes at once.
 */
export function createSeeExpiredKeys({ worker, clock }: Deps) {
  return async function seeAllExpiredKeys(): Promise<void> {
    for (let seen = keysMax; seen === keysMax;) seen = await seeExpiredKeys(worker, { nowMs: clock.now(), keysMax });
  };
}
