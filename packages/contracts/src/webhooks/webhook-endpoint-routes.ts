import type { Route } from '../routes/route.ts';
import { endpointShapes, endpointParams } from './endpoint-shapes.ts';
import { redeliveredSchema, redeliverFailedSchema, webhookEndpointsMax } from './webhook-endpoints.ts';

const endpoints = { service: 'notifier', tag: 'Webhook endpoints', access: 'account' } as const;
const path = '/v1/webhook-endpoints';

export const webhookEndpointRoutes: readonly Route[] = [
  {
    ...endpoints,
    ...endpointShapes.create,
    operationId: 'createWebhookEndpoint',
    idempotencyKey: 'replayed',
    path,
    summary: 'Register a webhook endpoint',
    description: `It is told by POST what happens from now on, as [Standard Webhooks](https://www.standardwebhooks.com). An account has at most ${webhookEndpointsMax}.`,
  },
  {
    ...endpoints,
    ...endpointShapes.list,
    operationId: 'listWebhookEndpoints',
    path,
    summary: 'List webhook endpoints',
  },
  {
    ...endpoints,
    ...endpointShapes.get,
    operationId: 'getWebhookEndpoint',
    path: `${path}/{id}`,
    summary: 'Get a webhook endpoint',
  },
  {
    ...endpoints,
    ...endpointShapes.update,
    operationId: 'updateWebhookEndpoint',
    path: `${path}/{id}`,
    summary: 'Change or disable a webhook endpoint',
  },
  {
    ...endpoints,
    ...endpointShapes.rotateSecret,
    operationId: 'rotateWebhookSecret',
    idempotencyKey: 'replayed',
    path: `${path}/{id}/rotate-secret`,
    summary: 'Replace the secret of a webhook endpoint',
    description: 'For `grace_seconds` each webhook has a signature by either secret, so that you can change over.',
  },
  {
    ...endpoints,
    ...endpointShapes.test,
    operationId: 'testWebhookEndpoint',
    path: `${path}/{id}/test`,
    summary: 'Test a webhook endpoint',
    description:
      'Sends it an event of the type `webhook.test`, whatever types it is told. Its attempts say what came of it.',
  },
  {
    ...endpoints,
    operationId: 'redeliverFailedWebhooks',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat sends nothing that is on its way' },
    path: `${path}/{id}/redeliver`,
    summary: 'Redeliver what a webhook endpoint missed',
    description:
      'Sends it the events of its types that it was told in vain until the last try, or not at all, such as those of a time when it was disabled: the oldest 10,000, so repeat it until it answers 0.',
    params: endpointParams,
    body: redeliverFailedSchema,
    responses: { 202: { description: 'They are sent at once.', schema: redeliveredSchema } },
    errors: ['not_found', 'webhook_endpoint_disabled'],
  },
  {
    ...endpoints,
    ...endpointShapes.remove,
    operationId: 'deleteWebhookEndpoint',
    path: `${path}/{id}`,
    summary: 'Remove a webhook endpoint',
    description: 'Its attempts go with it. It may still get what is being sent at the moment.',
  },
];
