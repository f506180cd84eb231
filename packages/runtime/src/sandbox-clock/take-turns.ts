import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';

export interface Turns {
  /** Runs `work` after all earlier work has ended, whether it failed or not. */
  take(work: () => Promise<void>): Promise<void>;
  startRounds(): void;
  /** Stops the rounds and waits for all work. */
  stopRounds(): Promise<void>;
}

export interface TurnsOptions {
  readonly everyMs: number;
  readonly log: Pick<Logger, 'warn'>;
  round(): Promise<void>;
}

/** Runs work in turn, never two pieces at once, and a round at intervals. `round` never rejects. */
export function createTurns({ everyMs, round, log }: TurnsOptions): Turns {
  const rounds = every({ name: 'sandbox-clock', everyMs, log, run: () => take(round) });
  let isStopped = false;
  let last = Promise.resolve();

  function take(work: () => Promise<void>): Promise<void> {
    const worked = last.then(work);
    last = worked.catch(() => undefined);
    return worked;
  }

  /** Does nothing after a stop: the clock may be stopped while it starts. */
  function startRounds(): void {
    if (!isStopped) void rounds.start();
  }

  async function stopRounds(): Promise<void> {
    isStopped = true;
    await rounds.stop();
    await last;
  }

  return { take, startRounds, stopRounds };
}
