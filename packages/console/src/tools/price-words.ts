import type { Schemas } from '@tollgate/sdk/edge';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';

type Charge = Schemas['Price']['charges'][number];

/** A price in words, a sentence for each charge. */
export function priceInWords({ charges, bill_failed_calls: billsFailed }: Schemas['Price']): string[] {
  if (charges.length === 0) return ['free'];
  return [...charges.map(chargeInWords), ...(billsFailed ? ['failed calls are billed, too'] : [])];
}

function chargeInWords(charge: Charge): string {
  const free = charge.free_quantity === '0' ? '' : `, ${formatQuantity(charge.free_quantity)} free a month`;
  const name = charge.name === null ? '' : `${charge.name}: `;
  return `${name}${modelInWords(charge)}${free}`;
}

function modelInWords({ model, metric }: Charge): string {
  const unit = unitOf(metric);
  switch (model.type) {
    case 'per_unit':
      return `${formatUsd(model.unit_price_usd)} per ${unit}`;
    case 'package':
      return `${formatUsd(model.package_price_usd)} per ${formatQuantity(model.size)} of ${unit}`;
    case 'graduated':
      return `in steps per ${unit}: ${tiersInWords(model.tiers)}`;
    case 'volume':
      return `by volume per ${unit}: ${tiersInWords(model.tiers)}`;
  }
}

function unitOf(metric: Charge['metric']): string {
  if (metric.type === 'calls') return 'call';
  return metric.type === 'duration_ms' ? 'millisecond' : metric.key;
}

type Tiers = Extract<Charge['model'], { readonly type: 'graduated' }>['tiers'];

function tiersInWords(tiers: Tiers): string {
  const words = tiers.map(({ up_to: upTo, unit_price_usd: unit, flat_price_usd: flat }) => {
    const range = upTo === null ? 'then' : `up to ${formatQuantity(upTo)}`;
    return `${range} ${formatUsd(unit)}${flat === '0' ? '' : ` and ${formatUsd(flat)} once`}`;
  });
  return words.join(', ');
}
