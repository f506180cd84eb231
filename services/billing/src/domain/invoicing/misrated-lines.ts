import { parseDecimal } from '@tollgate/kernel/decimal';
import { createRateQuantity } from '../pricing/create-rate-quantity.ts';
import type { Line } from '../pricing/line.ts';
import type { RatedPrices } from '../pricing/rated-price.ts';
import { sumLines } from './outstanding-lines.ts';

/** Lines that, with their adjustments, charge something else than their price does for their quantity. */
export function misratedLines(billed: readonly Line[], prices: RatedPrices): Line[] {
  return sumLines(billed).filter(({ priceId, chargeIndex, quantity, chargeMicros }) => {
    const charge = prices.get(priceId)?.price.charges[chargeIndex];
    return charge === undefined || createRateQuantity(charge)(parseDecimal(quantity)) !== chargeMicros;
  });
}
