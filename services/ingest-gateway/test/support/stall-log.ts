import type { Database } from '@tollgate/database/database';

export interface Stall {
  /** Lets appends continue. */
  release(): Promise<void>;
}

/** Locks the rows that every append locks. Appends wait, and their outcome is unknown meanwhile. */
export async function stallLog(owner: Database): Promise<Stall> {
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const holding = owner.transaction(async (tx) => {
    await tx.query('select from event_log.partition for update');
    held.resolve();
    await ended.promise;
  });
  await held.promise;
  return {
    async release() {
      ended.resolve();
      await holding;
    },
  };
}
