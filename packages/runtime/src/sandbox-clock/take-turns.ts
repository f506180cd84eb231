export interface Turns {
  /** After all that was asked for before, whether it went well or not. */
  take(work: () => Promise<void>): Promise<void>;
  startRounds(): void;
  /** Waits for what was asked for. */
  stopRounds(): Promise<void>;
}

/** Work on one thing, one after the other, and a round of it every so often. `round` never rejects. */
export function createTurns({ everyMs, round }: { everyMs: number; round: () => Promise<void> }): Turns {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let last = Promise.resolve();

  function take(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  function startRounds(): void {
    if (isStopped) return;
    timer = setTimeout(() => void take(round).then(startRounds), everyMs).unref();
  }

  async function stopRounds(): Promise<void> {
    isStopped = true;
    clearTimeout(timer);
    await last;
  }

  return { take, startRounds, stopRounds };
}
