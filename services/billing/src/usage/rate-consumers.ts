import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { setImmediate } from 'node:timers/promises';
import { rateLineByLine, type TimedLine } from '@tollgate/pricing/rate-over-time';
import { readRatedPrices } from './sql-read-rated-prices.ts';
import { sumUsageByPrice, type RowBounds } from './sql-sum-usage-by-price.ts';
import type { UsageSpan } from './usage-row.ts';
import { readTimedUsage, type TimedUsageQuery } from './sql-read-timed-usage.ts';

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

/** Rates usage line by line. Between two lines other requests get their turn. */
export async function* rateUsageOverTime(tx: Transaction, query: TimedUsageQuery): AsyncGenerator<TimedLine[]> {
  for await (const { price, usage } of readTimedUsage(tx, query)) {
    if (price === undefined) continue;
    for (const lines of rateLineByLine(usage, new Map([[price.priceId, price]]))) {
      yield lines;
      await setImmediate();
    }
  }
}
