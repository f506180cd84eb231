import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { systemClock } from '@tollgate/kernel/clock';

export interface Running {
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<unknown>;
  /** Safe to repeat, and after the end. */
  stop(): Promise<unknown>;
}

export interface KeptPart<Part extends Running> {
  readonly name: string;
  /** Starts it; `attempt` is 1, 2, … A later start listens where the first did, or says so by `onRestarted`. */
  start(attempt: number): Promise<Part>;
  onEnded(part: Part): void;
  onRestarted(part: Part): void;
  onFailed(error: unknown): void;
}

export interface Kept<Part extends Running> {
  readonly first: Part;
  stop(): Promise<void>;
}

const backOffBounds = { firstMs: 500, maxMs: 30_000 };
/** A part that has run for so long has recovered: its next end counts as the first. */
const recoveredAfterMs = 60_000;

/** Starts a part, and starts it again whenever it ends by itself. Rejects if the first start fails. */
export async function keepRunning<Part extends Running>(kept: KeptPart<Part>): Promise<Kept<Part>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let attempt = 1;
  let failures = 0;
  const first = await kept.start(attempt);
  let current = first;
  const watching = watch();

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const startedMs = systemClock.monotonicMs();
      await current.exited;
      if (signal.aborted) return;
      kept.onEnded(current);
      await current.stop(); // releases what a dead process leaves behind
      if (systemClock.monotonicMs() - startedMs > recoveredAfterMs) failures = 0;
      await startAgain();
    }
    await current.stop(); // it was started while the stack was being stopped
  }

  async function startAgain(): Promise<void> {
    while (!signal.aborted) {
      failures += 1;
      await wait(backOffMs(failures, backOffBounds), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      attempt += 1;
      try {
        current = await kept.start(attempt);
        kept.onRestarted(current);
        return;
      } catch (error) {
        kept.onFailed(error);
      }
    }
  }

  return {
    first,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
    },
  };
}
