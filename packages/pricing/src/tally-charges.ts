import type { Charge } from '@tollgate/contracts/price';
import type { RatedPrice, RatedPrices } from './rated-price.ts';
import type { UsagePart } from './usage-part.ts';

/** What is counted together: the billable parts of one consumer, price version and period, for one charge. */
export interface TalliedCharge<Part extends UsagePart> {
  readonly period: string;
  readonly consumerId: string;
  readonly price: RatedPrice;
  readonly charge: Charge;
  readonly chargeIndex: number;
  readonly parts: readonly Part[];
}

/** In the order (period, consumer, tool, price version, charge), which is also that in which lines are released. */
export function tallyCharges<Part extends UsagePart>(
  parts: readonly Part[],
  prices: RatedPrices,
): TalliedCharge<Part>[] {
  const tallies = new Map<string, Tally<Part>>();
  for (const part of parts) {
    const price = priceOf(part, prices);
    if (isBillable(part, price)) addPart(tallies, part, price);
  }
  return [...tallies.values()]
    .sort(inLineOrder)
    .flatMap((tally) => tally.price.price.charges.map((charge, chargeIndex) => ({ ...tally, charge, chargeIndex })));
}

interface Tally<Part> {
  readonly period: string;
  readonly consumerId: string;
  readonly price: RatedPrice;
  readonly parts: Part[];
}

function priceOf({ priceId }: UsagePart, prices: RatedPrices): RatedPrice {
  const price = prices.get(priceId);
  if (!price) throw new Error(`usage under price ${priceId}, which rating was not given`);
  return price;
}

function isBillable(part: UsagePart, { builderId, price }: RatedPrice): boolean {
  return part.consumerId !== builderId && (part.success || price.bill_failed_calls);
}

function addPart<Part extends UsagePart>(tallies: Map<string, Tally<Part>>, part: Part, price: RatedPrice): void {
  const { period, consumerId, priceId } = part;
  const key = `${period} ${consumerId} ${priceId}`;
  const tally = tallies.get(key);
  if (tally) tally.parts.push(part);
  else tallies.set(key, { period, consumerId, price, parts: [part] });
}

function inLineOrder(left: Tally<UsagePart>, right: Tally<UsagePart>): number {
  return (
    compareTexts(left.period, right.period) ||
    compareTexts(left.consumerId, right.consumerId) ||
    compareTexts(left.price.toolId, right.price.toolId) ||
    compareStarts(left.price.effectiveFromMs, right.price.effectiveFromMs)
  );
}

/** By code unit: the order must not depend on a locale. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function compareStarts(left: number | null, right: number | null): number {
  if (left === right) return 0;
  return (left ?? -Infinity) - (right ?? -Infinity);
}
