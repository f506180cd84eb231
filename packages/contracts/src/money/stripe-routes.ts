import type { Route } from '../routes/route.ts';
import { stripeWebhookSchema } from './stripe-webhook.ts';

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
