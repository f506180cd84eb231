export interface BatchSize {
  /** How many records the next batch may have. */
  max(): number;
  onHandled(): void;
  onFailed(records: number): void;
}

/**
 * Halves when a batch fails and doubles when one is handled. A batch may fail because it is large: on a slow disk after an
 * outage, counting it exceeds the statement's time limit, and the same batch would fail for ever.
 */
export function createBatchSize(): BatchSize {
  let max = Number.POSITIVE_INFINITY;
  return {
    max: () => max,
    onHandled: () => void (max *= 2),
    onFailed: (records) => void (max = Math.max(1, Math.floor(records / 2))),
  };
}
