/**
 * The calls of a consumer under one price version, by outcome, in a span of a period: an hour, a day, or all of it. A
 * price version is in force between full hours, so each hourly rollup belongs to exactly one version.
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
