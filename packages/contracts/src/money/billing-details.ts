import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import { textSchema } from '../forms/text-schema.ts';

const nameMeta = { description: 'The person or company that is billed.', examples: ['Ada Analytics Ltd'] };
const addressMeta = { description: 'The lines of the postal address, without the country.' };
const countryMeta = { description: 'The country, as ISO 3166-1 alpha-2.', examples: ['GB'] };
const taxIdMeta = { description: 'The tax number, such as of VAT, as it is to be printed.', examples: ['GB123456789'] };

export const billingDetailsInputSchema = closedObject({
  name: textSchema({ min: 1, max: 200 }).meta(nameMeta),
  address: z
    .array(textSchema({ min: 1, max: 100 }))
    .min(1)
    .max(6)
    .meta(addressMeta),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'must be two capital letters, such as GB' })
    .meta(countryMeta),
  tax_id: optional(textSchema({ min: 1, max: 40 }).meta(taxIdMeta)),
}).meta({
  id: 'NewBillingDetails',
  examples: [
    {
      name: 'Ada Analytics Ltd',
      address: ['12 Engine Street', 'London W1U 8ED'],
      country: 'GB',
      tax_id: 'GB123456789',
    },
  ],
});

export const billingDetailsSchema = z
  .object({
    name: z.string().meta(nameMeta),
    address: z.array(z.string()).meta(addressMeta),
    country: z.string().meta(countryMeta),
    tax_id: z.string().nullable().meta(taxIdMeta),
  })
  .meta({ id: 'BillingDetails' });

export type BillingDetails = z.infer<typeof billingDetailsSchema>;
