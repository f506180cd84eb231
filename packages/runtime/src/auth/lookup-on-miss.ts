import { AppError } from '@tollgate/kernel/app-error';
import { coalesce } from '../timing/coalesce.ts';

/** Names asked for while one look-up runs wait for the next; a flood of made-up ones is refused, not piled up. */
const waitingMax = 1_000;

interface Batch<Value> {
  readonly names: Set<string>;
  found: ReadonlyMap<string, Value>;
}

/**
 * Looks up what a directory in memory does not know. Concurrent misses share one set-based statement, and a miss never
 * joins one that began before it, so what was committed before the request is found. Rejects as `load` does.
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
