import { z } from 'zod';

export const chargesMax = 8;
export const tiersMax = 100;

const decimal = z.string().meta({ description: 'A decimal in its shortest spelling.', examples: ['0.002'] });

const metricSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('calls') }),
    z.object({ type: z.literal('duration_ms') }),
    z.object({ type: z.literal('metadata_sum'), key: z.string() }),
  ])
  .meta({ id: 'Metric' });

const tiersSchema = z.array(z.object({ up_to: decimal.nullable(), unit_price_usd: decimal, flat_price_usd: decimal }));

const modelSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('per_unit'), unit_price_usd: decimal }),
    z.object({ type: z.literal('graduated'), tiers: tiersSchema }),
    z.object({ type: z.literal('volume'), tiers: tiersSchema }),
    z.object({ type: z.literal('package'), size: decimal, package_price_usd: decimal }),
  ])
  .meta({ id: 'PriceModel' });

const chargeSchema = z
  .object({
    name: z.string().nullable().meta({ description: 'For the invoice; null if the charge has none.' }),
    metric: metricSchema,
    model: modelSchema,
    free_quantity: decimal,
  })
  .meta({ id: 'Charge' });

/** A price as it is kept and shown: in full, defaults applied, decimals in their shortest spelling. */
export const priceSchema = z
  .object({
    currency: z.literal('usd'),
    charges: z.array(chargeSchema),
    bill_failed_calls: z.boolean().meta({ description: 'Whether calls with `success: false` are billed.' }),
  })
  .meta({ id: 'Price', description: 'A price in full; without charges the tool is free.' });

export type Price = z.infer<typeof priceSchema>;
export type Charge = z.infer<typeof chargeSchema>;
export type PriceMetric = z.infer<typeof metricSchema>;
export type PriceModel = z.infer<typeof modelSchema>;

/** The metadata keys that a price sums, each once, in order. */
export function measuresOf(price: Price): string[] {
  const keys = price.charges.flatMap(({ metric }) => (metric.type === 'metadata_sum' ? [metric.key] : []));
  return [...new Set(keys)].sort();
}
