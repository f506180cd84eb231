import type { Bounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { sumUsageByPrice } from './sql-sum-usage-by-price.ts';

/** Rates all usage of these consumers in these months. Consumers without usage are not in the map. */
export async function rateConsumers(
  tx: Transaction,
  consumerIds: readonly string[],
  bounds: Bounds,
): Promise<ReadonlyMap<string, Line[]>> {
  const usage = await sumUsageByPrice(tx, consumerIds, bounds);
  const prices = await readRatedPrices(tx, [...new Set(usage.map(({ priceId }) => priceId))]);
  return Map.groupBy(rateUsage(usage, prices), ({ consumerId }) => consumerId);
}
