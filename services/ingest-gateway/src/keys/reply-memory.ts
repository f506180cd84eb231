import { parseIsoTime } from '@tollgate/contracts/forms/timestamp';
import { toIso } from '@tollgate/kernel/clock';
import { createIdRing } from './id-ring.ts';
import type { FirstEvent } from './judge-repeat.ts';

export interface ReplyMemory {
  get(eventId: string): FirstEvent | undefined;
  /** Keeps the first event of an id; a later event changes nothing. */
  put(eventId: string, first: FirstEvent): void;
}

const hashChars = 22;

/**
 * The first events of the latest keys; beyond `eventsMax` the oldest is dropped. The key table has the dropped ones,
 * unless counting lags by more events than this holds.
 *
 * Each event with a key is looked for and put here. So they are numbers in arrays, some 50 bytes per event: as objects
 * in a map they took 300, and garbage collection copied them.
 */
export function createReplyMemory(eventsMax: number): ReplyMemory {
  const ids = createIdRing(eventsMax);
  const hashes = Buffer.alloc(eventsMax * hashChars);
  const times = new Float64Array(eventsMax);

  return {
    get(eventId) {
      const place = ids.placeOf(eventId);
      if (place === undefined) return undefined;
      const bodyHash = hashes.toString('latin1', place * hashChars, (place + 1) * hashChars);
      return { bodyHash, occurredAt: toIso(times[place] ?? Number.NaN) };
    },
    put(eventId, { bodyHash, occurredAt }) {
      const place = ids.add(eventId);
      if (place === undefined) return;
      for (let at = 0; at < hashChars; at += 1) hashes[place * hashChars + at] = bodyHash.charCodeAt(at);
      times[place] = parseIsoTime(occurredAt) ?? Number.NaN;
    },
  };
}
