import type { Cores } from './cores.ts';
import type { StageCosts } from './costs.ts';
import type { Simulation } from './simulation.ts';
import type { Thread } from './thread.ts';

export interface ReaderOptions {
  readonly aggregator: Thread;
  readonly stages: Pick<StageCosts, 'fetch' | 'countNode' | 'countPostgres'>;
  /** The least time between two looks that find something. */
  readonly paceMicros: number;
  readonly eventsMax: number;
  /** Per event, without CPU: what a flush waits for the disk and for others. */
  readonly flushWaitMicros: number;
  /** Per flush, however small it is. */
  readonly flushNode: number;
  readonly flushPostgres: number;
  onCounted(events: number): void;
}

export interface Reader {
  add(events: number): void;
  waiting(): number;
}

/** Counts one partition: one flush at a time, each with all that has come since the last, up to a bound. */
export function startReader(simulation: Simulation, cores: Cores, options: ReaderOptions): Reader {
  const { aggregator, stages, paceMicros, eventsMax, flushWaitMicros, flushNode, flushPostgres, onCounted } = options;
  let waiting = 0;
  let isBusy = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function look(): void {
    isBusy = true;
    const restMicros = waiting >= eventsMax ? 0 : Math.max(0, lookedAt + paceMicros - simulation.now());
    simulation.after(restMicros, flush);
  }

  function flush(): void {
    lookedAt = simulation.now();
    const events = Math.min(waiting, eventsMax);
    cores.spend(events * stages.fetch, () =>
      aggregator.run(flushNode + events * stages.countNode, () =>
        cores.spend(flushPostgres + events * stages.countPostgres, () =>
          simulation.after(events * flushWaitMicros, () => aggregator.run(0, () => end(events))),
        ),
      ),
    );
  }

  function end(events: number): void {
    waiting -= events;
    onCounted(events);
    isBusy = false;
    if (waiting > 0) look();
  }

  return {
    add(events) {
      waiting += events;
      if (!isBusy) look();
    },
    waiting: () => waiting,
  };
}
