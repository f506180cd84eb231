import type { PriceMetric } from '@tollgate/contracts/price';
import { addDecimals, parseDecimal, zeroDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { UsagePart } from './usage-part.ts';

/** A sum, so however a period is cut into parts, they come to the same. */
export function quantityOf(metric: PriceMetric, parts: readonly UsagePart[]): Decimal {
  return parts.map((part) => quantityOfPart(metric, part)).reduce(addDecimals, zeroDecimal);
}

function quantityOfPart(metric: PriceMetric, part: UsagePart): Decimal {
  switch (metric.type) {
    case 'calls':
      return { units: part.calls, scale: 0 };
    case 'duration_ms':
      return { units: part.durationMs, scale: 0 };
    case 'metadata_sum':
      return parseDecimal(part.measures.get(metric.key) ?? '0'); // no call had the key
    default:
      return unreachable(metric);
  }
}
