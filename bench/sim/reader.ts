import type { Cores } from './cores.ts';
import type { StageCosts } from './costs.ts';
import type { Simulation } from './simulation.ts';
import type { Thread } from './thread.ts';

export interface ReaderOptions {
  readonly aggregator: Thread;
  readonly stages: Pick<StageCosts, 'fetch' | 'countNode' | 'countPostgres'>;
  /** The least time between two looks that find something. */
  readonly paceMicros: number;
  /** Of one partition, per look. */
  readonly eventsMax: number;
  /** Per flush, however small it is. */
  readonly flushNode: number;
  readonly flushPostgres: number;
  onCounted(events: number): void;
}

export interface Partition {
  add(events: number): void;
  waiting(): number;
}

/**
 * Counts some partitions. A look takes what has come in each of them, up to a bound. Each gets a flush of its own, and the
 * next look waits for all of them. A member of Kafka's group looks at all its partitions at once, as kafkajs does. In
 * PostgreSQL's log each partition has a reader of its own.
 */
export function startReader(
  simulation: Simulation,
  cores: Cores,
  { partitions: count, ...options }: ReaderOptions & { readonly partitions: number },
): readonly Partition[] {
  const { aggregator, stages, paceMicros, eventsMax, flushNode, flushPostgres, onCounted } = options;
  const waiting = Array.from({ length: count }, () => 0);
  let isBusy = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function plan(): void {
    isBusy = waiting.some((events) => events > 0);
    if (!isBusy) return;
    const isFull = waiting.some((events) => events >= eventsMax); // Kafka's reader waits all the same; a full round is longer
    simulation.after(isFull ? 0 : Math.max(0, lookedAt + paceMicros - simulation.now()), look);
  }

  function look(): void {
    lookedAt = simulation.now();
    const taken = waiting.map((events) => Math.min(events, eventsMax));
    let flushes = taken.filter((events) => events > 0).length;
    const total = taken.reduce((sum, events) => sum + events, 0);
    cores.spend(total * stages.fetch, () => {
      for (const [partition, events] of taken.entries())
        if (events > 0)
          flush(partition, events, () => {
            flushes -= 1;
            if (flushes === 0) plan();
          });
    });
  }

  function flush(partition: number, events: number, ended: () => void): void {
    aggregator.run(flushNode + events * stages.countNode, () =>
      cores.spend(flushPostgres + events * stages.countPostgres, () =>
        aggregator.run(0, () => {
          waiting[partition] = (waiting[partition] ?? 0) - events;
          onCounted(events);
          ended();
        }),
      ),
    );
  }

  return waiting.map((_, partition) => ({
    add(events) {
      waiting[partition] = (waiting[partition] ?? 0) + events;
      if (!isBusy) plan();
    },
    waiting: () => waiting[partition] ?? 0,
  }));
}
