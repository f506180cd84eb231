import type { Charge, Price, PriceModel } from '@tollgate/contracts/tools/price';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';

/**
 * Says whether no usage whatever costs more by `next` than by `now`. It compares charge by charge, and doubts what it
 * cannot compare: charges of another model or metric, or tiers with other bounds, may cost more.
 *
 * A version that begins within a month counts tiers, packages and flat prices from zero again, which can cost more by
 * itself. So `beginsWithMonth` is needed for every model but `per_unit`.
 */
export function neverCostsMore(next: Price, now: Price, { beginsWithMonth }: { beginsWithMonth: boolean }): boolean {
  if (next.charges.length > 0 && next.bill_failed_calls && !now.bill_failed_calls) return false;
  const left = [...now.charges];
  return next.charges.every((charge) => {
    if (!beginsWithMonth && charge.model.type !== 'per_unit') return false;
    const place = left.findIndex((other) => isNoDearer(charge, other));
    if (place >= 0) left.splice(place, 1); // each charge of now makes up for one charge of next
    return place >= 0;
  });
}

function isNoDearer(next: Charge, now: Charge): boolean {
  if (keyOf(next) !== keyOf(now)) return false;
  // With volume tiers a smaller quantity can cost more, and so can a larger free quantity.
  const isFreeEnough =
    next.model.type === 'volume'
      ? next.free_quantity === now.free_quantity
      : isAtMost(now.free_quantity, next.free_quantity);
  return isFreeEnough && isModelNoDearer(next.model, now.model);
}

function keyOf({ metric, model }: Charge): string {
  return JSON.stringify([metric.type, metric.type === 'metadata_sum' ? metric.key : null, model.type]);
}

function isModelNoDearer(next: PriceModel, now: PriceModel): boolean {
  if (next.type === 'per_unit') return now.type === next.type && isAtMost(next.unit_price_usd, now.unit_price_usd);
  if (next.type === 'package')
    return (
      now.type === next.type && isAtMost(next.package_price_usd, now.package_price_usd) && isAtMost(now.size, next.size)
    );
  if (now.type !== next.type || now.tiers.length !== next.tiers.length) return false;
  const { tiers } = now;
  return next.tiers.every((tier, place) => {
    const other = tiers[place];
    return (
      other !== undefined &&
      tier.up_to === other.up_to &&
      isAtMost(tier.unit_price_usd, other.unit_price_usd) &&
      isAtMost(tier.flat_price_usd, other.flat_price_usd)
    );
  });
}

function isAtMost(left: string, right: string): boolean {
  return compareDecimals(parseDecimal(left), parseDecimal(right)) <= 0;
}
