import { parseDecimal } from '@tollgate/kernel/decimal';
import { createRateQuantity } from '@tollgate/pricing/create-rate-quantity';
import type { Line } from '@tollgate/pricing/line';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { unitOf } from '@tollgate/pricing/unit-of';
import { sumLines } from '../invoicing/outstanding-lines.ts';

/** Finds lines that, with their adjustments, charge something else than their price gives for their quantity. */
export function misratedLines(billed: readonly Line[], prices: RatedPrices): Line[] {
  return sumLines(billed).filter(({ priceId, chargeIndex, quantity, chargeMicros }) => {
    const charge = prices.get(priceId)?.price.charges[chargeIndex];
    return charge === undefined || createRateQuantity(charge)(parseDecimal(quantity)) !== chargeMicros;
  });
}

/** Finds lines whose tool, builder, name or unit is not that of their price. */
export function misnamedLines(billed: readonly Line[], prices: RatedPrices): Line[] {
  return billed.filter(({ priceId, chargeIndex, toolId, builderId, name, unit }) => {
    const rated = prices.get(priceId);
    const charge = rated?.price.charges[chargeIndex];
    if (!rated || !charge) return true;
    const isOfPrice = toolId === rated.toolId && builderId === rated.builderId;
    return !isOfPrice || name !== charge.name || unit !== unitOf(charge.metric);
  });
}
