export interface WakeUp {
  /** Wakes all waiting callers. */
  ring(): void;
  /** How often it rang. Read it before looking for work, so that `wait` does not miss a ring in between. */
  rings(): number;
  /** Resolves with true at the next ring after `seen`, or with false after `withinMs`. */
  wait(seen: number, withinMs: number): Promise<boolean>;
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
      if (rings !== seen) return Promise.resolve(true);
      return new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.delete(wake);
          resolve(false);
        }, withinMs);
        waiting.add(wake);
      });
    },
  };
}
