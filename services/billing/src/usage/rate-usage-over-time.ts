import { setImmediate } from 'node:timers/promises';
import type { Transaction } from '@tollgate/database/database';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import { rateLineByLine, type TimedLine } from '@tollgate/pricing/rate-over-time';
import { readRatedPrices } from './sql-read-rated-prices.ts';
import { readTimedUsage, type TimedUsageQuery } from './sql-read-timed-usage.ts';

/** Rates usage line by line. Between two lines other requests get their turn. */
export async function* rateUsageOverTime(tx: Transaction, query: TimedUsageQuery): AsyncGenerator<TimedLine[]> {
  const prices = new Map<string, RatedPrice>();
  for await (const usage of readTimedUsage(tx, query)) {
    const unknown = new Set(usage.map(({ priceId }) => priceId).filter((priceId) => !prices.has(priceId)));
    if (unknown.size > 0) {
      for (const [priceId, price] of await readRatedPrices(tx, [...unknown])) prices.set(priceId, price);
    }
    for (const lines of rateLineByLine(usage, prices)) {
      yield lines;
      await setImmediate();
    }
  }
}
