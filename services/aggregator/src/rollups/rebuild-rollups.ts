import type { Database } from '@tollgate/database/database';
import { compareRollups, replaceRollups, type RollupComparison } from './sql-compare-rollups.ts';

export interface RebuildOptions {
  /** Its statements may take minutes. */
  readonly database: Database;
  /** Replace the kept rows by the rebuilt ones if any differ. Counting waits meanwhile. */
  readonly write: boolean;
}

export type RebuildResult = RollupComparison & { readonly written: boolean };

/**
 * Folds every kept event again and compares the sums with the rollups of the same hours, byte for byte. Hours whose
 * events are past their retention stay as they are: nothing is left to rebuild them from.
 */
export async function rebuildRollups({ database, write }: RebuildOptions): Promise<RebuildResult> {
  return database.transaction(async (tx) => {
    // Events and rollups need one snapshot: an event counted in between would look like a difference.
    await tx.query(
      write
        ? 'lock table usage.cursor in exclusive mode'
        : 'set transaction isolation level repeatable read, read only',
    );
    const comparison = await compareRollups(tx);
    const written = write && comparison.differences > 0;
    if (written) await replaceRollups(tx);
    return { ...comparison, written };
  });
}
