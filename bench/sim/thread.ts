import type { Cores } from './cores.ts';

export interface Thread {
  run(cpuMicros: number, done: () => void): void;
  /** As `setImmediate`: after all that had come when the thread last looked. */
  soon(go: () => void): void;
}

/**
 * A process with one thread, such as Node or Redis: one piece of work after the other, in the order of arrival. As an event
 * loop, it takes what has come, does all of it, and only then looks again.
 */
export function createThread(cores: Cores): Thread {
  let waiting: { cpuMicros: number; done: () => void }[] = [];
  let goers: (() => void)[] = [];
  let isBusy = false;

  function look(): void {
    isBusy = waiting.length > 0 || goers.length > 0;
    if (!isBusy) return;
    const turn = waiting;
    waiting = [];
    work(turn, 0);
  }

  function work(turn: typeof waiting, at: number): void {
    const piece = turn[at];
    if (!piece) return endTurn();
    cores.spend(piece.cpuMicros, () => {
      piece.done();
      work(turn, at + 1);
    });
  }

  function endTurn(): void {
    const going = goers;
    goers = [];
    for (const go of going) go();
    look();
  }

  return {
    run(cpuMicros, done) {
      waiting.push({ cpuMicros, done });
      if (!isBusy) look();
    },
    soon(go) {
      goers.push(go);
      if (!isBusy) look();
    },
  };
}
