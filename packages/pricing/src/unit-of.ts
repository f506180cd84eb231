import type { PriceMetric } from '@tollgate/contracts/tools/price';
import { unreachable } from '@tollgate/kernel/unreachable';

export function unitOf(metric: PriceMetric): string {
  switch (metric.type) {
    case 'calls':
      return 'calls';
    case 'duration_ms':
      return 'ms';
    case 'metadata_sum':
      return metric.key;
    default:
      return unreachable(metric);
  }
}
