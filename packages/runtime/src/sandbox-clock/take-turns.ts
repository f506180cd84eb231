import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';

export interface Turns {
  /** After all that was asked for before, whether it went well or not. */
  take(work: () => Promise<void>): Promise<void>;
  startRounds(): void;
  /** Waits for what was asked for. */
  stopRounds(): Promise<void>;
}

export interface TurnsOptions {
  readonly everyMs: number;
  readonly log: Pick<Logger, 'warn'>;
  round(): Promise<void>;
}

/** Work on one thing, one after the other, and a round of it every so often. `round` never rejects. */
export function createTurns({ everyMs, round, log }: TurnsOptions): Turns {
  const rounds = every({ name: 'sandbox-clock', everyMs, log, run: () => take(round) });
  let isStopped = false;
  let last = Promise.resolve();

  function take(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  /** A start that is still under way when the clock is stopped begins no rounds. */
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
