import { LRUCache } from 'lru-cache';
import type { FirstEvent } from './judge-repeat.ts';

export interface ReplyMemory {
  get(eventId: string): FirstEvent | undefined;
  /** Keeps the first event of an id; a later event changes nothing. */
  put(eventId: string, first: FirstEvent): void;
}

/**
 * The first events of the latest keys; beyond `eventsMax` the oldest is dropped. The key table has the dropped ones,
 * unless counting lags by more events than this holds.
 */
export function createReplyMemory(eventsMax: number): ReplyMemory {
  const events = new LRUCache<string, FirstEvent>({ max: eventsMax });
  return {
    get: (eventId) => events.peek(eventId), // a repeat does not make its event younger
    put(eventId, first) {
      if (!events.has(eventId)) events.set(eventId, first);
    },
  };
}
