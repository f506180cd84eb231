import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Talking {
  /** Names what the start is at from now on. */
  at(step: string): void;
  /** Nothing is said after it has resolved. Safe to repeat. */
  stop(): Promise<void>;
}

const file = new URL(`./talk-thread${extname(import.meta.url)}`, import.meta.url);

/**
 * Says every other second what the start is at, from a thread of its own: the main thread is busy for seconds while it
 * loads the modules. So this file and the thread import next to nothing. The thread alone keeps no process alive.
 */
export function startTalking(step: string): Talking {
  const worker = new Worker(file).on('error', ignore);
  worker.unref();
  worker.postMessage(step);
  return {
    at: (next) => worker.postMessage(next),
    stop: () => worker.terminate().then(ignore),
  };
}

function ignore(): void {
  // a start goes on without its words
}
