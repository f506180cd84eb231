import type { FirstEvent } from './judge-repeat.ts';

export interface ReplyMemory {
  get(eventId: string): FirstEvent | undefined;
  /** The first one stays. */
  put(eventId: string, first: FirstEvent): void;
}

/**
 * The first events of the keys that were used lately. What is not in here any more is in the key table, unless counting
 * lags by more events than this holds. Bounded: two generations of half the size, the old one is dropped whole.
 */
export function createReplyMemory(eventsMax: number): ReplyMemory {
  let young = new Map<string, FirstEvent>();
  let old = new Map<string, FirstEvent>();

  function get(eventId: string): FirstEvent | undefined {
    return young.get(eventId) ?? old.get(eventId);
  }

  function put(eventId: string, first: FirstEvent): void {
    if (get(eventId) !== undefined) return;
    if (young.size >= eventsMax / 2) {
      old = young;
      young = new Map();
    }
    young.set(eventId, first);
  }

  return { get, put };
}
