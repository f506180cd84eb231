import { toIso, type Clock } from '@tollgate/kernel/clock';

import type { SeededRandom } from '../seeded-random.ts';
import type { LoadEvent } from './load-event.ts';

export interface LoadAccount {
  readonly consumerId: string;
  /** Access tokens, API keys and passes. Each has a rate limit of its own. */
  readonly credentials: readonly [string, ...string[]];
}

export interface InventOptions {
  readonly toolIds: readonly [string, ...string[]];
  readonly random: SeededRandom;
  readonly clock: Clock;
  /** Distinguishes this load's events from those of other loads on the same database. */
  readonly prefix: string;
  /** The limit of one request. */
  readonly batchEventsMax?: number | undefined;
}

const shares = { keyed: 0.6, repeats: 0.05, batches: 0.4, failures: 0.1, ownTime: 0.3 };
/** A repeat is one of this many latest keyed events of its account. */
const repeatableMax = 1_000;
/** Neither in the future nor older than 24 h, even for a gateway whose clock is wrong by an hour. */
const ownTimeAgeMs = { least: 1.1 * 3_600_000, most: 22 * 3_600_000 };
const durationMsMax = 5_000;

/** Invents the events of one account: single and in batches, with and without keys, some repeated. */
export function createInventEvents({ toolIds, random, clock, prefix, batchEventsMax = 40 }: InventOptions) {
  const keyed = new Map<string, LoadEvent[]>();
  let made = 0;

  return function inventEvents({ consumerId }: LoadAccount): LoadEvent[] {
    const size = random.chance(shares.batches) ? random.integer(2, batchEventsMax) : 1;
    return Array.from(
      { length: size },
      () => (random.chance(shares.repeats) && repeat(consumerId)) || invent(consumerId),
    );
  };

  function ownAge(): number {
    return random.integer(ownTimeAgeMs.least, ownTimeAgeMs.most);
  }

  function repeat(consumerId: string): LoadEvent | undefined {
    const earlier = keyed.get(consumerId) ?? [];
    return earlier[random.integer(0, earlier.length - 1)];
  }

  function keep(event: LoadEvent): void {
    const kept = keyed.get(event.consumerId) ?? [];
    keyed.set(event.consumerId, kept);
    if (kept.length < repeatableMax) kept.push(event);
    else kept[random.integer(0, repeatableMax - 1)] = event;
  }

  function invent(consumerId: string): LoadEvent {
    made += 1;
    const ref = `${prefix}-${made}`;
    const event: LoadEvent = {
      ref,
      consumerId,
      toolId: random.pick(toolIds),
      success: !random.chance(shares.failures),
      durationMs: random.integer(0, durationMsMax),
      unitMillionths: random.integer(0, 3_000_000),
      ...(random.chance(shares.keyed) ? { key: `key-${ref}` } : {}),
      ...(random.chance(shares.ownTime) ? { timestamp: toIso(clock.now() - ownAge()) } : {}),
    };
    if (event.key !== undefined) keep(event);
    return event;
  }
}
