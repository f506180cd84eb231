import type { Charge } from '@tollgate/contracts/tools/price';
import type { CountedUsage } from './counted-usage.ts';
import type { RatedPrice, RatedPrices } from './rated-price.ts';

/** The usage of a line: the billable usage of a consumer under one price version in a period, for one charge. */
export interface LineUsage<Usage extends CountedUsage> {
  readonly period: string;
  readonly consumerId: string;
  readonly price: RatedPrice;
  readonly charge: Charge;
  readonly chargeIndex: number;
  readonly usage: readonly Usage[];
}

/**
 * Groups usage by line, in the order (period, consumer, tool, price version, charge). Lines are released in the same
 * order.
 */
export function groupByLine<Usage extends CountedUsage>(
  usage: readonly Usage[],
  prices: RatedPrices,
): LineUsage<Usage>[] {
  const groups = new Map<string, PriceUsage<Usage>>();
  let last: PriceUsage<Usage> | undefined; // usage mostly comes line by line
  for (const counted of usage) {
    if (last === undefined || !isOfGroup(counted, last)) last = groupOf(groups, counted, prices);
    if (isBillable(counted, last.price)) last.usage.push(counted);
  }
  return [...groups.values()]
    .filter((group) => group.usage.length > 0)
    .sort(inLineOrder)
    .flatMap((group) => group.price.price.charges.map((charge, chargeIndex) => ({ ...group, charge, chargeIndex })));
}

/** For all charges of the price. */
interface PriceUsage<Usage> {
  readonly period: string;
  readonly consumerId: string;
  readonly price: RatedPrice;
  readonly usage: Usage[];
}

function priceOf({ priceId }: CountedUsage, prices: RatedPrices): RatedPrice {
  const price = prices.get(priceId);
  if (!price) throw new Error(`usage under price ${priceId}, which rating was not given`);
  return price;
}

function isBillable({ consumerId, success }: CountedUsage, { builderId, price }: RatedPrice): boolean {
  return consumerId !== builderId && (success || price.bill_failed_calls);
}

function isOfGroup({ period, consumerId, priceId }: CountedUsage, group: PriceUsage<CountedUsage>): boolean {
  return period === group.period && consumerId === group.consumerId && priceId === group.price.priceId;
}

function groupOf<Usage extends CountedUsage>(
  groups: Map<string, PriceUsage<Usage>>,
  counted: Usage,
  prices: RatedPrices,
): PriceUsage<Usage> {
  const { period, consumerId, priceId } = counted;
  const key = `${period} ${consumerId} ${priceId}`;
  const group = groups.get(key) ?? { period, consumerId, price: priceOf(counted, prices), usage: [] };
  groups.set(key, group);
  return group;
}

function inLineOrder(left: PriceUsage<CountedUsage>, right: PriceUsage<CountedUsage>): number {
  return (
    compareTexts(left.period, right.period) ||
    compareTexts(left.consumerId, right.consumerId) ||
    compareTexts(left.price.toolId, right.price.toolId) ||
    compareStarts(left.price.effectiveFromMs, right.price.effectiveFromMs)
  );
}

/** Compares by code unit: the order must not depend on a locale. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function compareStarts(left: number | null, right: number | null): number {
  if (left === right) return 0;
  return (left ?? -Infinity) - (right ?? -Infinity);
}
