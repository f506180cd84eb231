import type { Database } from '@tollgate/database/database';
import { changeCaps, lockCapsById } from './sql-cap-state.ts';
import { endHolds, lockHolds } from './sql-hold.ts';
import type { Hold } from './hold.ts';

/**
 * Frees what an open authorization holds. The hold is locked before its caps, as everywhere. Returns the hold as it stood,
 * or undefined where there is none: one that is not open any more is left as it is.
 */
export function releaseHold(database: Database, holdId: string): Promise<Hold | undefined> {
  return database.transaction(async (tx) => {
    const [hold] = await lockHolds(tx, [holdId]);
    if (hold?.state !== 'open') return hold;
    await endHolds(tx, [holdId], 'released');
    await lockCapsById(tx, hold.capIds);
    await changeCaps(
      tx,
      hold.capIds.map((capId) => ({ capId, spent: 0n, held: 0n - hold.micros })),
    );
    return hold;
  });
}
