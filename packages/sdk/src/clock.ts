/** The only source of time of this package, so that tests can hold it still or set it back. */
export interface Clock {
  /** Whole milliseconds since the epoch; somebody may set it. */
  now(): number;
  /** Milliseconds since some start, which nobody moves. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
