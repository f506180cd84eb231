export interface WakeUp {
  /** Wakes all who wait. */
  ring(): void;
  /** How often it rang: read before looking for work, so that a ring in between is not slept through. */
  rings(): number;
  /** Resolves at the next ring after `seen`, or after `withinMs`. */
  wait(seen: number, withinMs: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let rings = 0;
  let waiting = new Set<() => void>();
  return {
    rings: () => rings,
    ring() {
      rings += 1;
      const woken = waiting;
      waiting = new Set();
      for (const wake of woken) wake();
    },
    wait(seen, withinMs) {
      if (rings !== seen) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, withinMs);
        waiting.add(wake);
      });
    },
  };
}
