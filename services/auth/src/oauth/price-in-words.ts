import type { Charge, Price, PriceMetric, PriceModel } from '@tollgate/contracts/tools/price';

/** A price as a person reads it: "0.002 USD per call, the first 100 free". */
export function priceInWords({ charges, bill_failed_calls: billsFailed }: Price): string {
  if (charges.length === 0) return 'free';
  return `${charges.map(chargeInWords).join(', and ')}${billsFailed ? '; failed calls cost too' : ''}`;
}

function chargeInWords({ metric, model, free_quantity: free }: Charge): string {
  return `${modelInWords(model, unitOf(metric))}${free === '0' ? '' : `, the first ${free} free`}`;
}

function unitOf(metric: PriceMetric): string {
  switch (metric.type) {
    case 'calls':
      return 'call';
    case 'duration_ms':
      return 'millisecond';
    case 'metadata_sum':
      return `unit of ${metric.key}`;
  }
}

type Tiers = Extract<PriceModel, { type: 'graduated' }>['tiers'];

function modelInWords(model: PriceModel, unit: string): string {
  switch (model.type) {
    case 'per_unit':
      return `${model.unit_price_usd} USD per ${unit}`;
    case 'package':
      return `${model.package_price_usd} USD per ${model.size} ${unit}s begun`;
    case 'graduated':
      return tiersInWords(model.tiers, unit);
    case 'volume':
      return `by the month’s volume ${tiersInWords(model.tiers, unit)}`;
  }
}

function tiersInWords(tiers: Tiers, unit: string): string {
  return tiers
    .map(({ up_to: upTo, unit_price_usd: unitPrice, flat_price_usd: flat }) => {
      const extra = flat === '0' ? '' : ` and ${flat} USD once`;
      return `${unitPrice} USD per ${unit}${extra}${upTo === null ? ' beyond' : ` up to ${upTo}`}`;
    })
    .join(', ');
}
