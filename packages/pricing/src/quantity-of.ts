import type { PriceMetric } from '@tollgate/contracts/tools/price';
import { addDecimals, parseDecimal, zeroDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { CountedUsage } from './counted-usage.ts';

/** The quantities of calls that prices count. */
export type LineQuantities = Pick<CountedUsage, 'calls' | 'durationMs' | 'measures'>;

/** A sum, so it is the same however the usage of a period is cut. */
export function quantityOf(metric: PriceMetric, usage: readonly LineQuantities[]): Decimal {
  return usage.map((counted) => quantityOfOne(metric, counted)).reduce(addDecimals, zeroDecimal);
}

/** The quantity of one part. */
export function quantityOfOne(metric: PriceMetric, counted: LineQuantities): Decimal {
  switch (metric.type) {
    case 'calls':
      return { units: counted.calls, scale: 0 };
    case 'duration_ms':
      return { units: counted.durationMs, scale: 0 };
    case 'metadata_sum':
      return parseDecimal(counted.measures.get(metric.key) ?? '0'); // no call had the key
    default:
      return unreachable(metric);
  }
}
