import type { CountableEvent } from './plan-flush.ts';

export interface PartedEvents {
  readonly countable: readonly CountableEvent[];
  /** Their money may be free again, so they must not count any more. */
  readonly freed: readonly CountableEvent[];
}

/**
 * A gate frees the money of an event that is not counted when the watermark passes the expiry of its hold. Such an event was
 * never acknowledged: its gateway was frozen in the middle of the append, or the event was replayed. `countedThroughMs` is
 * the watermark before this flush, and its partition holds it there until the flush is committed. So a gate that sees a
 * later watermark also sees what this flush has counted.
 */
export function partFreed(events: readonly CountableEvent[], countedThroughMs: number): PartedEvents {
  const isFreed = ({ event }: CountableEvent): boolean =>
    event.hold_expires_at !== undefined && Date.parse(event.hold_expires_at) <= countedThroughMs;
  return { countable: events.filter((one) => !isFreed(one)), freed: events.filter(isFreed) };
}
