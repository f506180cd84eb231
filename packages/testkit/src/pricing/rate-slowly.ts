import type { Charge, PriceMetric, PriceModel } from '@tollgate/contracts/tools/price';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import { Fraction } from './fraction.ts';

/**
 * Rating as the price list reads, with no thought of speed: every line is found by walking over all usage. Tiers are peeled
 * off from the top, where the code under test climbs from the bottom. Charges in micro-dollars by `lineKey`, those of lines
 * without a quantity left out.
 */
export function rateSlowly(usage: readonly CountedUsage[], prices: RatedPrices): Map<string, bigint> {
  const lines = new Map<string, bigint>();
  for (const { period, consumerId, priceId } of usage) {
    for (const [chargeIndex, charge] of (prices.get(priceId)?.price.charges ?? []).entries()) {
      const key = lineKey({ period, consumerId, priceId, chargeIndex });
      const counted = usage.filter((one) => lineKey({ ...one, chargeIndex }) === key && isBilled(one, prices));
      const quantity = counted.map((one) => measured(one, charge.metric)).reduce((a, b) => a.plus(b), Fraction.zero);
      if (quantity.isAbove(Fraction.zero)) lines.set(key, chargeSlowly(charge, quantity));
    }
  }
  return lines;
}

export function lineKey(line: { period: string; consumerId: string; priceId: string; chargeIndex: number }): string {
  return [line.period, line.consumerId, line.priceId, line.chargeIndex].join(' / ');
}

function isBilled({ priceId, consumerId, success }: CountedUsage, prices: RatedPrices): boolean {
  const price = prices.get(priceId);
  if (!price || price.builderId === consumerId) return false;
  return success || price.price.bill_failed_calls;
}

function measured(one: CountedUsage, metric: PriceMetric): Fraction {
  if (metric.type === 'calls') return Fraction.of(one.calls);
  if (metric.type === 'duration_ms') return Fraction.of(one.durationMs);
  return Fraction.parse(one.measures.get(metric.key) ?? '0');
}

function chargeSlowly(charge: Charge, quantity: Fraction): bigint {
  const left = quantity.minus(Fraction.parse(charge.free_quantity));
  if (!left.isAbove(Fraction.zero)) return 0n;
  return usdSlowly(charge.model, left).times(Fraction.of(1_000_000n)).roundHalfEven();
}

function usdSlowly(model: PriceModel, quantity: Fraction): Fraction {
  switch (model.type) {
    case 'per_unit':
      return quantity.times(Fraction.parse(model.unit_price_usd));
    case 'package':
      return Fraction.of(quantity.over(Fraction.parse(model.size)).ceiling()).times(
        Fraction.parse(model.package_price_usd),
      );
    case 'volume': {
      const reached = tiersFromTheTop(model.tiers).find(({ floor }) => quantity.isAbove(floor));
      if (!reached) throw new Error('no tier');
      return quantity.times(reached.unit).plus(reached.flat);
    }
    case 'graduated': {
      let usd = Fraction.zero;
      let left = quantity;
      for (const { floor, unit, flat } of tiersFromTheTop(model.tiers)) {
        if (!left.isAbove(floor)) continue;
        usd = usd.plus(left.minus(floor).times(unit)).plus(flat);
        left = floor;
      }
      return usd;
    }
  }
}

function tiersFromTheTop(tiers: Extract<PriceModel, { type: 'volume' }>['tiers']) {
  return tiers
    .map((tier, index) => ({
      floor: Fraction.parse(tiers[index - 1]?.up_to ?? '0'),
      unit: Fraction.parse(tier.unit_price_usd),
      flat: Fraction.parse(tier.flat_price_usd),
    }))
    .toReversed();
}
