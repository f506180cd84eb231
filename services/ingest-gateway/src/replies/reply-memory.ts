import type { FirstEvent } from './judge-repeat.ts';

export interface ReplyMemory {
  get(eventId: string): FirstEvent | undefined;
  /** Keeps the first event of an id; a later event changes nothing. */
  put(eventId: string, first: FirstEvent): void;
}

/**
 * The first events of the latest keys: never more than `eventsMax`, and at least the latest half of that. The key table has
 * the dropped ones, unless counting lags by more events than this holds.
 *
 * Events go in two generations, and the elder is dropped whole when the younger is full. A map of 100,000 that loses its
 * oldest entry with each new one, as lru-cache keeps it, is rebuilt at times: everybody waits 27 ms, and here 2 to 8.
 */
export function createReplyMemory(eventsMax: number): ReplyMemory {
  const generationMax = Math.max(1, Math.floor(eventsMax / 2));
  let younger = new Map<string, FirstEvent>();
  let elder = new Map<string, FirstEvent>();

  function get(eventId: string): FirstEvent | undefined {
    return younger.get(eventId) ?? elder.get(eventId);
  }

  function put(eventId: string, first: FirstEvent): void {
    if (get(eventId) !== undefined) return;
    if (younger.size === generationMax) {
      elder = younger;
      younger = new Map();
    }
    younger.set(eventId, first);
  }

  return { get, put };
}
