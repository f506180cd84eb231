import type { PreviewQuantity } from '@tollgate/contracts/tools/price-preview';
import type { Price } from '@tollgate/contracts/tools/price';
import { formatDecimal } from '@tollgate/kernel/decimal';
import { sumMicros, type Micros } from '@tollgate/kernel/money';
import { createRateQuantity } from '@tollgate/pricing/create-rate-quantity';
import { quantityOf } from '@tollgate/pricing/quantity-of';
import { unitOf } from '@tollgate/pricing/unit-of';

export interface PreviewLine {
  readonly name: string | null;
  readonly quantity: string;
  readonly unit: string;
  readonly chargeMicros: Micros;
}

export interface PreviewAmount {
  readonly calls: number;
  readonly chargeMicros: Micros;
  readonly lines: readonly PreviewLine[];
}

/** Each quantity as the usage of one consumer in one month, rated and rounded as a line of its invoice. */
export function previewPrice(price: Price, quantities: readonly PreviewQuantity[]): PreviewAmount[] {
  const charges = price.charges.map((charge) => ({ ...charge, rate: createRateQuantity(charge) }));
  return quantities.map(({ calls, duration_ms: durationMs, measures }) => {
    const usage = {
      calls: BigInt(calls),
      durationMs: BigInt(durationMs),
      measures: new Map(Object.entries(measures)),
    };
    const lines = charges.map(({ name, metric, rate }): PreviewLine => {
      const quantity = quantityOf(metric, [usage]);
      return { name, quantity: formatDecimal(quantity), unit: unitOf(metric), chargeMicros: rate(quantity) };
    });
    return { calls, chargeMicros: sumMicros(lines.map(({ chargeMicros }) => chargeMicros)), lines };
  });
}
