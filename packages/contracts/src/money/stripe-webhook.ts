import { z } from 'zod';
import type { Route } from '../routes/route.ts';

/** The fields of Stripe's event that the service reads. It then reads the object from Stripe again. */
const stripeWebhookSchema = z
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

export const stripeRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Webhooks',
    isInternal: true,
    access: 'public',
    processor: 'stripe',
    operationId: 'receiveStripeWebhook',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/v1/webhooks/stripe',
    summary: 'Receive a Stripe webhook',
    description:
      'Signed by Stripe (`Stripe-Signature`) with the secret of this endpoint, at most 300 s ago. The webhook is stored before the answer, and only once however often it arrives. Without `PROCESSOR=stripe` it is 404.',
    body: stripeWebhookSchema,
    responses: { 204: { description: 'The webhook is stored.' } },
    errors: ['not_found', 'unavailable'],
  },
];
