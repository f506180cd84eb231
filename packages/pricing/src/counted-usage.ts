/**
 * What one consumer's calls under one price version came to, by outcome, in some span of a period: an hour, a day, all of
 * it. A price version is in force from a full hour to a full hour, so each hourly rollup belongs to one.
 */
export interface CountedUsage {
  /** 'YYYY-MM'. */
  readonly period: string;
  readonly consumerId: string;
  readonly priceId: string;
  readonly success: boolean;
  readonly calls: bigint;
  readonly durationMs: bigint;
  /** Plain decimals by metadata key. */
  readonly measures: ReadonlyMap<string, string>;
}
