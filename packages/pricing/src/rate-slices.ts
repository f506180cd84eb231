import { addDecimals, zeroDecimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import { createRateQuantity } from './create-rate-quantity.ts';
import type { Line } from './line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { tallyCharges, type TalliedCharge } from './tally-charges.ts';
import { toLine } from './to-line.ts';
import type { UsagePart } from './usage-part.ts';

/** A part of a slice of time, named by where the slice starts: an hour, a day, or whatever the rows asked for are. */
export interface UsageSlice extends UsagePart {
  readonly startMs: number;
}

/** What one slice added to a line. Its charge is below 0 where it carried the quantity into a cheaper volume tier. */
export interface LineSlice extends Line {
  readonly startMs: number;
}

/**
 * Marginal money: R(end) − R(start), R(t) being the rounded line of the period's calls before t. The slices of a line add
 * up to it exactly, wherever they are cut. Tiers count from a period's beginning: whoever asks for a later part of one
 * hands over what came before too, as one slice or many, and leaves its money out of the answer.
 */
export function rateSlices(slices: readonly UsageSlice[], prices: RatedPrices): LineSlice[] {
  return tallyCharges(slices, prices)
    .flatMap(rateInTimeOrder)
    .filter(({ quantity }) => quantity !== '0');
}

function rateInTimeOrder(tallied: TalliedCharge<UsageSlice>): LineSlice[] {
  const rateQuantity = createRateQuantity(tallied.charge);
  let counted = zeroDecimal;
  let charged = zeroMicros;
  return inTimeOrder(tallied.parts).map(([startMs, parts]) => {
    const quantity = quantityOf(tallied.charge.metric, parts);
    const chargedBefore = charged;
    counted = addDecimals(counted, quantity);
    charged = rateQuantity(counted);
    return { startMs, ...toLine(tallied, { quantity, chargeMicros: micros(charged - chargedBefore) }) };
  });
}

function inTimeOrder(slices: readonly UsageSlice[]): [startMs: number, parts: UsageSlice[]][] {
  return [...Map.groupBy(slices, ({ startMs }) => startMs)].sort(([left], [right]) => left - right);
}
