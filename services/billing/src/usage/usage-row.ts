import type { UsageMoney } from './usage-money.ts';

/** Exact sums: counts are integers of any size, measures plain decimals. */
export interface UsageSums {
  readonly calls: bigint;
  readonly successes: bigint;
  readonly failures: bigint;
  readonly durationMs: bigint;
  readonly measures: ReadonlyMap<string, string>;
}

/** The sums of one group; a dimension that was not asked for is absent. */
export interface UsageRow extends UsageSums {
  readonly startMs?: number;
  readonly toolId?: string;
  readonly consumerId?: string;
  readonly success?: boolean;
  /** Absent where rows are split by success: tiers and free quantities count over both outcomes. */
  readonly money?: UsageMoney;
}

export interface UsageTotals extends UsageSums {
  readonly money?: UsageMoney;
}
