import { z } from 'zod';

/** The fields of Stripe's event that the service reads. It then reads the object from Stripe again. */
export const stripeWebhookSchema = z
  .looseObject({
    id: z
      .string()
      .min(1)
      .max(255)
      .meta({ examples: ['evt_1SVxYz2eZvKYlo2C'] }),
    type: z
      .string()
      .min(1)
      .max(255)
      .meta({ examples: ['account.updated'] }),
    data: z.looseObject({ object: z.looseObject({}) }),
  })
  .meta({ id: 'StripeWebhook' });
