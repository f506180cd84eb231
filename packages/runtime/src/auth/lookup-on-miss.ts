import { AppError } from '@tollgate/kernel/app-error';
import { coalesce } from '../timing/coalesce.ts';

/** So many names may wait for the next look-up while one runs. Beyond it a flood of invented names is refused, not queued. */
const waitingMax = 1_000;

interface Batch<Value> {
  readonly names: Set<string>;
  found: ReadonlyMap<string, Value>;
}

/**
 * Looks up names that a directory in memory does not know. Concurrent misses share one set-based statement. A miss
 * never joins a statement that began before it, so it finds everything that was committed before. Rejects as `load`
 * does.
 */
export function createLookupOnMiss<Value>(
  load: (names: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (name: string) => Promise<Value | undefined> {
  let waiting: Batch<Value> = { names: new Set(), found: new Map() };
  const loadWaiting = coalesce(async () => {
    const batch = waiting;
    waiting = { names: new Set(), found: new Map() };
    batch.found = await load([...batch.names]);
  });

  return async function lookUp(name) {
    const batch = waiting;
    if (batch.names.size >= waitingMax && !batch.names.has(name)) {
      throw new AppError('unavailable', 'Too many unknown names are being looked up; try again.');
    }
    batch.names.add(name);
    await loadWaiting();
    return batch.found.get(name);
  };
}
