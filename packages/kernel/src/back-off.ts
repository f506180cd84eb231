export interface BackOff {
  /** The longest pause after the first failure. Each further failure doubles it. */
  readonly firstMs: number;
  /** No pause is longer than this. */
  readonly maxMs: number;
}

/**
 * How long to wait after the n-th failure in a row (1, 2, …). The second half of each pause is random, so that several
 * processes which failed together do not come back together.
 */
export function backOffMs(failures: number, { firstMs, maxMs }: BackOff, random = Math.random()): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * (0.5 + random / 2);
}
