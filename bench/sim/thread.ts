import type { Cores } from './cores.ts';

export interface Thread {
  run(cpuMicros: number, done: () => void): void;
}

/** A process with one thread, such as Node or Redis: one piece of work after the other, in the order of arrival. */
export function createThread(cores: Cores): Thread {
  const waiting: { cpuMicros: number; done: () => void }[] = [];
  let head = 0;
  let isBusy = false;

  function next(): void {
    const work = waiting[head];
    isBusy = work !== undefined;
    if (!work) return;
    head += 1;
    if (head > 1_024) {
      waiting.splice(0, head);
      head = 0;
    }
    cores.spend(work.cpuMicros, () => {
      work.done();
      next();
    });
  }

  return {
    run(cpuMicros, done) {
      waiting.push({ cpuMicros, done });
      if (!isBusy) next();
    },
  };
}
