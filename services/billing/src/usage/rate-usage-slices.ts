import type { Transaction } from '@tollgate/database/database';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import { rateSlices, type LineSlice } from '@tollgate/pricing/rate-slices';
import { readRatedPrices } from './sql-read-rated-prices.ts';
import { readUsageSlices, type SlicesQuery } from './sql-read-usage-slices.ts';

/** What these slices came to, batch by batch; between two of them others get their turn. */
export async function* rateUsageSlices(tx: Transaction, query: SlicesQuery): AsyncGenerator<LineSlice[]> {
  const prices = new Map<string, RatedPrice>();
  for await (const slices of readUsageSlices(tx, query)) {
    const unknown = new Set(slices.map(({ priceId }) => priceId).filter((priceId) => !prices.has(priceId)));
    if (unknown.size > 0) {
      for (const [priceId, price] of await readRatedPrices(tx, [...unknown])) prices.set(priceId, price);
    }
    yield rateSlices(slices, prices);
  }
}
