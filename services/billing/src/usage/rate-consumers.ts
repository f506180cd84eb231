import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { readRatedPrices } from './sql-read-rated-prices.ts';
import { sumUsageByPrice } from './sql-sum-usage-by-price.ts';
import type { UsageSpan } from './usage-span.ts';

/** The usage of these consumers has more rows than are held in memory at once. */
class TooMuchUsage extends Error {
  override readonly name = 'TooMuchUsage';
}

/** Rates all usage of these spans. Consumers without usage are not in the map. Throws `TooMuchUsage` beyond `rowsMax` rows. */
export async function rateConsumers(
  tx: Transaction,
  spans: readonly UsageSpan[],
  rowsMax?: number,
): Promise<ReadonlyMap<string, Line[]>> {
  const usage = await sumUsageByPrice(tx, spans, rowsMax === undefined ? undefined : rowsMax + 1);
  if (rowsMax !== undefined && usage.length > rowsMax) throw new TooMuchUsage(`more than ${rowsMax} rows of usage`);
  const prices = await readRatedPrices(tx, [...new Set(usage.map(({ priceId }) => priceId))]);
  return Map.groupBy(rateUsage(usage, prices), ({ consumerId }) => consumerId);
}
