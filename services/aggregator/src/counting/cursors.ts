import type { UsageStore } from './ports.ts';

export interface Cursors {
  /** Reads the database. The log's reader calls it when it takes a partition, and after each failure. */
  read(partition: number): Promise<bigint>;
  /** The remembered cursor, else `read`. A stale memory is harmless: the flush's compare-and-set refuses it. */
  current(partition: number): Promise<bigint>;
  remember(partition: number, nextOffset: bigint): void;
  forget(partition: number): void;
}

export function createCursors(store: Pick<UsageStore, 'cursorOf'>, topic: string): Cursors {
  const known = new Map<number, bigint>();
  return {
    read,
    current: async (partition) => known.get(partition) ?? read(partition),
    remember: (partition, nextOffset) => void known.set(partition, nextOffset),
    forget: (partition) => void known.delete(partition),
  };

  async function read(partition: number): Promise<bigint> {
    const nextOffset = await store.cursorOf(topic, partition);
    known.set(partition, nextOffset);
    return nextOffset;
  }
}
