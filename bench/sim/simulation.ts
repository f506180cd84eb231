import { createHeap } from './heap.ts';

/** A clock that jumps from event to event. All times of `bench/sim` are microseconds. */
export interface Simulation {
  now(): number;
  after(micros: number, happen: () => void): void;
  /** Lets everything happen up to this time. */
  runUntil(endMicros: number): void;
}

interface Event {
  readonly at: number;
  readonly place: number;
  readonly happen: () => void;
}

export function createSimulation(): Simulation {
  // Events of the same instant happen in the order in which they were planned, so a run depends on its seed alone.
  const planned = createHeap<Event>((a, b) => a.at - b.at || a.place - b.place);
  let now = 0;
  let places = 0;

  function runUntil(endMicros: number): void {
    for (let next = planned.first(); next && next.at <= endMicros; next = planned.first()) {
      planned.takeFirst();
      now = next.at;
      next.happen();
    }
    now = endMicros;
  }

  return {
    now: () => now,
    after: (micros, happen) => planned.add({ at: now + micros, place: (places += 1), happen }),
    runUntil,
  };
}
