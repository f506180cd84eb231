import type { Charge } from '@tollgate/contracts/tools/price';
import { unreachable } from '@tollgate/kernel/unreachable';
import { unitOf } from '@tollgate/pricing/unit-of';
import { formatQuantity } from './format-amount.ts';

/** A price may have a hundred tiers. So many are printed; the price version has them all. */
const printedTiersMax = 6;

/** Describes the price of a charge in short rows: unit prices or tiers, and the free quantity. */
export function priceDetails(charge: Charge): string[] {
  const free = charge.free_quantity === '0' ? [] : [`${amountOf(charge.free_quantity, charge)} free`];
  return [...modelDetails(charge), ...free];
}

function modelDetails(charge: Charge): string[] {
  const { model } = charge;
  switch (model.type) {
    case 'per_unit':
      return [`${usd(model.unit_price_usd)} per ${oneOf(charge)}`];
    case 'package':
      return [`${usd(model.package_price_usd)} per started ${amountOf(model.size, charge)}`];
    case 'graduated':
      return ['Each unit by its tier:', ...tierDetails(model.tiers)];
    case 'volume':
      return ['All units by the tier reached:', ...tierDetails(model.tiers)];
    default:
      return unreachable(model);
  }
}

interface Tier {
  readonly up_to: string | null;
  readonly unit_price_usd: string;
  readonly flat_price_usd: string;
}

function tierDetails(tiers: readonly Tier[]): string[] {
  const rest = tiers.length - printedTiersMax;
  const shown = tiers.slice(0, printedTiersMax).map((tier) => {
    const flat = tier.flat_price_usd === '0' ? '' : ` + ${usd(tier.flat_price_usd)} flat`;
    const end = tier.up_to === null ? 'beyond' : `to ${formatQuantity(tier.up_to)}`;
    return `${end}: ${usd(tier.unit_price_usd)}${flat}`;
  });
  return rest > 0 ? [...shown, rest === 1 ? 'and 1 more tier' : `and ${rest} more tiers`] : shown;
}

function usd(decimal: string): string {
  return `USD ${formatQuantity(decimal)}`;
}

function amountOf(quantity: string, charge: Charge): string {
  return `${formatQuantity(quantity)} ${quantity === '1' && charge.metric.type === 'calls' ? 'call' : unitOf(charge.metric)}`;
}

function oneOf({ metric }: Charge): string {
  if (metric.type === 'calls') return 'call';
  return metric.type === 'metadata_sum' ? `unit of ${metric.key}` : unitOf(metric);
}
