export interface BatchSize {
  /** How many records the next batch may have. */
  max(): number;
  onHandled(): void;
  onFailed(records: number): void;
}

/**
 * Halved when a batch fails, doubled when one is handled. A batch may fail for being large: after an outage, on a slow
 * disk, counting it takes longer than a statement may, and the same batch again would fail for ever.
 */
export function createBatchSize(): BatchSize {
  let max = Number.POSITIVE_INFINITY;
  return {
    max: () => max,
    onHandled: () => void (max *= 2),
    onFailed: (records) => void (max = Math.max(1, Math.floor(records / 2))),
  };
}
