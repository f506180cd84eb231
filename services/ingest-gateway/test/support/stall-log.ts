import type { Database } from '@tollgate/database/database';

export interface Stall {
  /** Appends go through again. */
  release(): Promise<void>;
}

/** Holds the rows that every append locks: appends wait, and their outcome is not known meanwhile. */
export async function stallLog(owner: Database): Promise<Stall> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let held: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const holding = owner.transaction(async (tx) => {
    await tx.query('select from event_log.partition for update');
    held();
    await ended;
  });
  await isHeld;
  return {
    async release() {
      end();
      await holding;
    },
  };
}
