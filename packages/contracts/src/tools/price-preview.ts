import { z } from 'zod';
import { normaliseDecimal } from '@tollgate/kernel/decimal';
import { closedObject } from '../forms/closed-object.ts';
import { metadataKeyLengthMax } from '../forms/metadata.ts';
import { textSchema } from '../forms/text-schema.ts';
import type { Route } from '../routes/route.ts';
import { chargesMax, priceSchema } from './price.ts';
import { priceInputSchema } from './price-input.ts';

/** A page shows a few; each costs a walk through all tiers. */
const quantitiesMax = 20;
const countMax = 1_000_000_000_000;
const sumPattern = /^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,6})?$/;

const sumSchema = z
  .string()
  .regex(sumPattern, { error: 'must be a decimal string from 0 to below 10¹⁸ with at most six decimals' })
  .transform(normaliseDecimal)
  .meta({ examples: ['50000'] });

const quantitySchema = closedObject({
  calls: z
    .int()
    .min(0)
    .max(countMax)
    .meta({ description: 'Calls in a month.', examples: [1000] }),
  duration_ms: z.int().min(0).max(countMax).default(0).meta({ description: 'Milliseconds of all of them together.' }),
  measures: z
    .record(textSchema({ min: 1, max: metadataKeyLengthMax }), sumSchema)
    .refine((sums) => Object.keys(sums).length <= chargesMax, { error: `must have at most ${chargesMax} keys` })
    .default({})
    .meta({
      description: 'Sums of metadata keys that the price names, as decimal strings. A key that is left out is 0.',
      examples: [{ tokens: '50000' }],
    }),
}).meta({ id: 'PreviewQuantity', description: 'What one consumer uses of the tool in one month.' });

export const previewPriceSchema = closedObject({
  price: priceInputSchema,
  quantities: z.array(quantitySchema).min(1).max(quantitiesMax),
}).meta({
  id: 'NewPricePreview',
  examples: [{ price: { per_call_usd: '0.002' }, quantities: [{ calls: 10 }, { calls: 1_000 }, { calls: 100_000 }] }],
});

const lineSchema = z
  .object({
    name: z.string().nullable().meta({ description: 'The name of the charge; null if it has none.' }),
    quantity: z.string().meta({ description: 'The quantity, including the free quantity; a decimal.' }),
    unit: z.string().meta({ description: '`calls`, `ms`, or the metadata key that is summed.' }),
    charge_usd: z.number().meta({ description: 'As a line of an invoice: up to six decimals.' }),
  })
  .meta({ id: 'PreviewLine' });

const amountSchema = z
  .object({
    calls: z.int().min(0).meta({ description: 'As asked.' }),
    charge_usd: z.number().meta({ description: 'The sum of the lines.' }),
    lines: z.array(lineSchema).meta({ description: 'One per charge of the price, in its order.' }),
  })
  .meta({ id: 'PreviewAmount' });

const pricePreviewSchema = z
  .object({
    price: priceSchema.meta({ description: 'The price in full, as it would be kept.' }),
    amounts: z.array(amountSchema).meta({ description: 'One per quantity, in the order of the request.' }),
  })
  .meta({ id: 'PricePreview' });

export type PricePreview = z.infer<typeof pricePreviewSchema>;
export type PreviewQuantity = z.infer<typeof quantitySchema>;

export const pricePreviewRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Tools',
    access: 'public',
    operationId: 'previewPrice',
    method: 'POST',
    idempotencyKey: { refused: 'it keeps nothing, and a repeat has the same answer' },
    path: '/v1/prices/preview',
    summary: 'Preview a price',
    description:
      'Rates up to 20 quantities by a price, exactly as an invoice would, and keeps nothing. Prices are public, so it needs no account.',
    body: previewPriceSchema,
    responses: { 200: { description: 'The amounts.', schema: pricePreviewSchema } },
    errors: ['price_too_high'],
  },
];
