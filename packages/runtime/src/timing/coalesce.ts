/**
 * Returns a function whose callers share runs. A caller never joins a run that began before its call, so after a commit
 * it sees that commit. At most one run is under way and one waits, however many callers there are. Rejects as its run
 * does.
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
  // the callers of the earlier run get its failure
}
