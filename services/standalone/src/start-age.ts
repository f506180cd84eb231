/** A start that took longer than this was left alone at its compiler, or the variable is from another start. */
const headStartMaxMs = 3_600_000;

export interface ProcessStart {
  /** When this process began, in ms since the epoch. */
  readonly beganMs: number;
  /** How old this process is, in ms. */
  readonly ageMs: number;
}

/**
 * How long ago the start command began, in ms. `given` is its begin in ms since the epoch, from a program that ran before
 * this process. Without one, or with one that cannot be, the command began with this process.
 */
export function startAgeMs(given: string | undefined, { beganMs, ageMs }: ProcessStart): number {
  const headStartMs = beganMs - Number(given || Number.NaN);
  return headStartMs >= 0 && headStartMs <= headStartMaxMs ? headStartMs + ageMs : ageMs;
}
