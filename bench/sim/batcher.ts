import type { Simulation } from './simulation.ts';

export interface Batcher {
  add(item: Waiting): void;
}

/** One request on its way: how many events it has, and who goes on when they are through. */
export interface Waiting {
  readonly events: number;
  done(): void;
}

export interface BatcherOptions {
  readonly eventsMax: number;
  /** The least time from the start of a batch to that of the next, where the batch has so many events. */
  readonly pace: { readonly startsEveryMicros: number; readonly pacedFromEvents: number };
  /** Waits for the end of what runs now, as `setImmediate` does. */
  soon(go: () => void): void;
  run(items: readonly Waiting[], ended: () => void): void;
}

/** `packages/runtime/src/timing/micro-batcher.ts` without its promises: one batch is on its way, the next one gathers. */
export function createBatcher(simulation: Simulation, { eventsMax, pace, soon, run }: BatcherOptions): Batcher {
  let waiting: Waiting[] = [];
  let isRunning = false;

  function runNext(): void {
    isRunning = waiting.length > 0;
    if (!isRunning) return;
    const items = waiting.slice(0, countThatFit(waiting, eventsMax));
    waiting = waiting.slice(items.length);
    const nextAt = eventsOf(items) < pace.pacedFromEvents ? 0 : simulation.now() + pace.startsEveryMicros;
    run(items, () => {
      for (const item of items) item.done();
      const restMicros = nextAt - simulation.now();
      if (restMicros > 0) simulation.after(restMicros, runNext);
      else runNext();
    });
  }

  return {
    add(item) {
      waiting.push(item);
      if (isRunning) return;
      isRunning = true;
      soon(runNext);
    },
  };
}

export function eventsOf(items: readonly Waiting[]): number {
  return items.reduce((sum, { events }) => sum + events, 0);
}

function countThatFit(items: readonly Waiting[], eventsMax: number): number {
  let events = 0;
  const tooMany = items.findIndex((item, at) => (events += item.events) > eventsMax && at > 0);
  return tooMany === -1 ? items.length : tooMany;
}
