import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { readRatedPrices } from './sql-read-rated-prices.ts';
import { sumUsageByPrice } from './sql-sum-usage-by-price.ts';
import type { RowBounds } from './too-much-usage.ts';
import type { UsageSpan } from './usage-span.ts';

/** Rates all usage of these spans. Consumers without usage are not in the map. Throws `TooMuchUsage` beyond the bounds. */
export async function rateConsumers(
  tx: Transaction,
  spans: readonly UsageSpan[],
  bounds: RowBounds = {},
): Promise<ReadonlyMap<string, Line[]>> {
  const usage = await sumUsageByPrice(tx, spans, bounds);
  const prices = await readRatedPrices(tx, [...new Set(usage.map(({ priceId }) => priceId))]);
  return Map.groupBy(rateUsage(usage, prices), ({ consumerId }) => consumerId);
}
