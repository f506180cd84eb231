import type { Database } from '@tollgate/database/database';
import { isAppError } from '@tollgate/kernel/app-error';
import { pausingDatabase, type Pause } from './dying-database.ts';
import type { GateWorld, TestGate } from './gate-world.ts';

/** Another gate of the world, which waits before the first statement of this name until it is resumed. */
export function openPausingGate(world: Pick<GateWorld, 'openDyingGate'>, statement: string): TestGate & Pause {
  const pause = {} as Pause;
  const around = (database: Database): Database => {
    const { database: pausing, ...rest } = pausingDatabase(database, statement);
    Object.assign(pause, rest);
    return pausing;
  };
  return Object.assign(world.openDyingGate(around), pause);
}

/** On a busy machine a wait for a lock may end by its limit. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'unavailable')) throw error;
    }
  }
}
