import type { Micros } from '@tollgate/kernel/money';
import type { UsageDimension } from '@tollgate/contracts/money/usage';

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

/** The money of one row of usage, or of all rows. A charge may be below 0: see `rateOverTime`. */
export interface UsageMoney {
  readonly chargeMicros: Micros;
  /** Only for builders. Earning and fee together are the charge. */
  readonly split?: { readonly earningMicros: Micros; readonly feeMicros: Micros };
}

export type Granularity = 'hour' | 'day' | 'month';
/** As a consumer, an account sees its own calls; as a builder, everybody's calls of its tools. */
export type UsageRole = 'consumer' | 'builder';

export interface UsageQuery {
  readonly accountId: string;
  readonly role: UsageRole;
  readonly toolId?: string;
  /** Full hours, [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity?: Granularity;
  readonly groupBy: ReadonlySet<UsageDimension>;
  /** The names of the passes' tags to group by. */
  readonly tags?: readonly string[];
}

/** Whether the query tells passes apart. */
export function isByPass({ groupBy, tags = [] }: Pick<UsageQuery, 'groupBy' | 'tags'>): boolean {
  return groupBy.has('pass_id') || tags.length > 0;
}

/** Months of one consumer's usage: from the first to the last of them, 'YYYY-MM'. */
export interface UsageSpan {
  readonly consumerId: string;
  readonly firstPeriod: string;
  readonly lastPeriod: string;
}

/** The same months for each consumer. */
export function spansOf(
  consumerIds: readonly string[],
  { firstPeriod, lastPeriod }: Omit<UsageSpan, 'consumerId'>,
): UsageSpan[] {
  return consumerIds.map((consumerId) => ({ consumerId, firstPeriod, lastPeriod }));
}
