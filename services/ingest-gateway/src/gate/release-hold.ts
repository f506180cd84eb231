import type { Database, Transaction } from '@tollgate/database/database';
import { changeCaps, lockCapsById } from './sql-cap-state.ts';
import { endBooks, endHolds, lockHolds } from './sql-hold.ts';
import { isBook, type Hold } from './hold.ts';

/**
 * Frees what an open authorization holds. The hold is locked before its caps, as everywhere. Returns the hold as it stood,
 * or undefined where there is none: one that is not open any more is left as it is.
 */
export function releaseHold(database: Database, holdId: string): Promise<Hold | undefined> {
  return database.transaction(async (tx) => {
    const [hold] = await lockHolds(tx, [holdId]);
    if (hold?.state !== 'open') return hold;
    const freed = await endOpen(tx, hold);
    await lockCapsById(tx, hold.capIds);
    await changeCaps(
      tx,
      hold.capIds.map((capId) => ({ capId, spent: 0n, held: -(freed.get(capId) ?? 0n) })),
    );
    return hold;
  });
}

/** What each cap had held for it, or for its open calls. */
async function endOpen(tx: Transaction, hold: Hold): Promise<ReadonlyMap<bigint, bigint>> {
  if (isBook(hold)) return endBooks(tx, [hold.holdId], 'released');
  await endHolds(tx, [hold.holdId], 'released');
  return new Map(hold.capIds.map((capId) => [capId, hold.micros]));
}
