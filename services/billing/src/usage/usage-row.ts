import type { UsageMoney } from './usage-money.ts';

/** Exact sums: counts are integers of any size, measures are plain decimals. */
export interface UsageSums {
  readonly calls: bigint;
  readonly successes: bigint;
  readonly failures: bigint;
  readonly durationMs: bigint;
  readonly measures: ReadonlyMap<string, string>;
}

/** The sums of one group. Dimensions that the query does not group by are absent. */
export interface UsageRow extends UsageSums {
  readonly startMs?: number;
  readonly toolId?: string;
  readonly consumerId?: string;
  readonly success?: boolean;
  /** Null: calls without a pass. */
  readonly passId?: string | null;
  /** In the order of the query's names; null where the pass has no such tag, or there is no pass. */
  readonly tags?: readonly (string | null)[];
  /** Absent if rows are grouped by success: tiers and free quantities count over both outcomes together. */
  readonly money?: UsageMoney;
}

export interface UsageTotals extends UsageSums {
  readonly money?: UsageMoney;
}
