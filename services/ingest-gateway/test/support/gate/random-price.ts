import type { Charge, Price, PriceMetric, PriceModel } from '@tollgate/contracts/tools/price';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';

export function randomPrice(random: SeededRandom): Price {
  const charges = Array.from({ length: random.integer(1, 3) }, () => randomCharge(random));
  return { currency: 'usd', charges, bill_failed_calls: random.chance(0.3) };
}

function randomCharge(random: SeededRandom): Charge {
  const metric = random.pick<PriceMetric>([
    { type: 'calls' },
    { type: 'duration_ms' },
    { type: 'metadata_sum', key: 'tokens' },
  ]);
  const free = random.pick(['0', '0', '3', '2.5', '12']);
  return { name: null, metric, model: randomModel(random), free_quantity: free };
}

function randomModel(random: SeededRandom): PriceModel {
  const dollars = () => random.pick(['0', '0.01', '0.0123456', '0.0000005', '0.25']);
  const tiers = () => {
    const first = random.integer(1, 60);
    return [String(first), String(first + random.integer(1, 60)), null].map((upTo) => {
      return { up_to: upTo, unit_price_usd: dollars(), flat_price_usd: dollars() };
    });
  };
  switch (random.integer(0, 3)) {
    case 0:
      return { type: 'per_unit', unit_price_usd: dollars() };
    case 1:
      return { type: 'graduated', tiers: tiers() };
    case 2:
      return { type: 'volume', tiers: tiers() };
    default:
      return { type: 'package', size: String(random.integer(1, 20)), package_price_usd: dollars() };
  }
}
