import { parseDecimal } from '@tollgate/kernel/decimal';
import { createRateQuantity } from '@tollgate/pricing/create-rate-quantity';
import type { Line } from '@tollgate/pricing/line';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { sumLines } from '../invoicing/outstanding-lines.ts';

/** Finds lines that, with their adjustments, charge something else than their price gives for their quantity. */
export function misratedLines(billed: readonly Line[], prices: RatedPrices): Line[] {
  return sumLines(billed).filter(({ priceId, chargeIndex, quantity, chargeMicros }) => {
    const charge = prices.get(priceId)?.price.charges[chargeIndex];
    return charge === undefined || createRateQuantity(charge)(parseDecimal(quantity)) !== chargeMicros;
  });
}
