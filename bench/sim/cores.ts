import { createHeap } from './heap.ts';
import type { Simulation } from './simulation.ts';

export interface Cores {
  /** Spends CPU, in a thread of its own, then goes on. */
  spend(cpuMicros: number, done: () => void): void;
  /** CPU spent so far, in microseconds. */
  spent(): number;
}

export interface CoresOptions {
  readonly cores: number;
  /** CPU that a thread gets per microsecond when it never waits: 1 on a machine of its own, less on a shared one. */
  readonly efficiency: number;
}

interface Burst {
  /** The progress at which it ends. */
  readonly end: number;
  readonly place: number;
  readonly done: () => void;
}

/**
 * Processor sharing. No thread runs on two cores, and all that are ready have the same speed. So one number, the
 * progress of a thread that has been ready all the time, says when each burst ends.
 */
export function createCores(simulation: Simulation, { cores, efficiency }: CoresOptions): Cores {
  const running = createHeap<Burst>((a, b) => a.end - b.end || a.place - b.place);
  let count = 0;
  let places = 0;
  let progress = 0;
  let updatedAt = 0;
  let spent = 0;
  let alarm = 0;

  const speed = (): number => efficiency * Math.min(1, cores / count);

  function update(): void {
    const now = simulation.now();
    if (count > 0) {
      const step = (now - updatedAt) * speed();
      progress += step;
      spent += step * count;
    }
    updatedAt = now;
  }

  function setAlarm(): void {
    const next = running.first();
    if (!next) return;
    const mine = (alarm += 1);
    simulation.after(Math.max(0, next.end - progress) / speed(), () => {
      if (mine === alarm) end(next);
    });
  }

  function end(burst: Burst): void {
    update();
    running.takeFirst();
    count -= 1;
    burst.done();
    setAlarm();
  }

  return {
    spend(cpuMicros, done) {
      update();
      running.add({ end: progress + cpuMicros, place: (places += 1), done });
      count += 1;
      setAlarm();
    },
    spent() {
      update();
      return spent;
    },
  };
}
