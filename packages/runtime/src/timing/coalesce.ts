/**
 * Makes callers share runs, but never one that began before they came: whoever asks after a commit sees that commit.
 * At most one runs and one waits, however many ask.
 */
export function coalesce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return function runOnce() {
    if (next) return next; // it has not begun
    if (!running) return begin();
    next = running.then(ignore, ignore).then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}

function ignore(): void {
  // those who waited for the run before have been told how it ended
}
