import type { Route } from '../route.ts';
import { stripeWebhookSchema } from '../stripe-webhook.ts';

export const stripeRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Stripe',
    access: 'public',
    processor: 'stripe',
    operationId: 'receiveStripeWebhook',
    method: 'POST',
    path: '/v1/webhooks/stripe',
    summary: 'What Stripe has to tell',
    description:
      'Only with `PROCESSOR=stripe`; else 404. Signed by Stripe with the secret of this endpoint (`Stripe-Signature`), at most 300 s ago. Stored before the answer, once, however often it comes.',
    body: stripeWebhookSchema,
    responses: { 204: { description: 'Stored.' } },
    errors: ['not_found', 'unavailable'],
  },
];
