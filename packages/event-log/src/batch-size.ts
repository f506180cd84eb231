export interface BatchSize {
  /** How many records the next batch may have. */
  max(): number;
  onHandled(): void;
  onFailed(records: number): void;
}

/**
 * Halves when a batch fails and doubles when a batch is handled. A batch may fail because it is large: after an outage
 * on a slow disk, counting it exceeds the statement's time limit. The same batch would then fail for ever.
 */
export function createBatchSize(): BatchSize {
  let max = Number.POSITIVE_INFINITY;
  return {
    max: () => max,
    onHandled: () => void (max *= 2),
    onFailed: (records) => void (max = Math.max(1, Math.floor(records / 2))),
  };
}
