import { createRateQuantity } from './create-rate-quantity.ts';
import type { Line } from './line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { tallyCharges, type TalliedCharge } from './tally-charges.ts';
import { toLine } from './to-line.ts';
import type { UsagePart } from './usage-part.ts';

/**
 * The lines of these parts, however they are cut: one for each (period, consumer, tool, price version, charge) that has a
 * quantity, in that order. Tiers count from a period's beginning, so `parts` must hold all of it that is to be billed.
 */
export function rateUsage(parts: readonly UsagePart[], prices: RatedPrices): Line[] {
  return tallyCharges(parts, prices)
    .map(rateCharge)
    .filter(({ quantity }) => quantity !== '0');
}

function rateCharge(tallied: TalliedCharge<UsagePart>): Line {
  const quantity = quantityOf(tallied.charge.metric, tallied.parts);
  return toLine(tallied, { quantity, chargeMicros: createRateQuantity(tallied.charge)(quantity) });
}
