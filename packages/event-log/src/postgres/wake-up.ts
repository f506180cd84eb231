export interface WakeUp {
  /** Wakes all waiting callers. */
  ring(): void;
  /** How often it rang. Read it before looking for work, so that `wait` does not miss a ring in between. */
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
