import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import type { Route } from '../routes/route.ts';
import {
  createdWebhookEndpointSchema,
  createWebhookEndpointSchema,
  redeliveredSchema,
  redeliverFailedSchema,
  rotateWebhookSecretSchema,
  updateWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointsMax,
} from './webhook-endpoints.ts';
import { webhookEventSchema } from './webhook-events.ts';

const endpoints = { service: 'notifier', tag: 'Webhook endpoints', access: 'account' } as const;
const params = z.object({ id: idSchema });
const path = '/v1/webhook-endpoints';

export const webhookEndpointRoutes: readonly Route[] = [
  {
    ...endpoints,
    operationId: 'createWebhookEndpoint',
    method: 'POST',
    idempotencyKey: 'replayed',
    path,
    summary: 'Register a webhook endpoint',
    description: `It is told by POST what happens from now on, as [Standard Webhooks](https://www.standardwebhooks.com). An account has at most ${webhookEndpointsMax}.`,
    body: createWebhookEndpointSchema,
    responses: {
      201: { description: 'The endpoint. Its `secret` is shown this once.', schema: createdWebhookEndpointSchema },
    },
    errors: ['webhook_url_refused', 'too_many_webhook_endpoints'],
  },
  {
    ...endpoints,
    operationId: 'listWebhookEndpoints',
    method: 'GET',
    path,
    summary: 'List webhook endpoints',
    responses: { 200: { description: 'All of them.', schema: webhookEndpointListSchema } },
    errors: [],
  },
  {
    ...endpoints,
    operationId: 'getWebhookEndpoint',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Get a webhook endpoint',
    params,
    responses: { 200: { description: 'The endpoint.', schema: webhookEndpointSchema } },
    errors: ['not_found'],
  },
  {
    ...endpoints,
    operationId: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change or disable a webhook endpoint',
    params,
    body: updateWebhookEndpointSchema,
    responses: { 200: { description: 'The endpoint as it is now.', schema: webhookEndpointSchema } },
    errors: ['not_found', 'webhook_url_refused'],
  },
  {
    ...endpoints,
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    idempotencyKey: 'replayed',
    path: `${path}/{id}/rotate-secret`,
    summary: 'Replace the secret of a webhook endpoint',
    description: 'For `grace_seconds` each webhook has a signature by either secret, so that you can change over.',
    params,
    body: rotateWebhookSecretSchema,
    responses: {
      200: {
        description: 'The endpoint with its new `secret`, shown this once.',
        schema: createdWebhookEndpointSchema,
      },
    },
    errors: ['not_found'],
  },
  {
    ...endpoints,
    operationId: 'testWebhookEndpoint',
    method: 'POST',
    idempotencyKey: { refused: 'each request sends another test' },
    path: `${path}/{id}/test`,
    summary: 'Test a webhook endpoint',
    description:
      'Sends it an event of the type `webhook.test`, whatever types it is told. Its attempts say what came of it.',
    params,
    responses: { 202: { description: 'The event, which is sent at once.', schema: webhookEventSchema } },
    errors: ['not_found', 'webhook_endpoint_disabled'],
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
    params,
    body: redeliverFailedSchema,
    responses: { 202: { description: 'They are sent at once.', schema: redeliveredSchema } },
    errors: ['not_found', 'webhook_endpoint_disabled'],
  },
  {
    ...endpoints,
    operationId: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove a webhook endpoint',
    description: 'Its attempts go with it. It may still get what is being sent at the moment.',
    params,
    responses: { 204: { description: 'The endpoint is removed.' } },
    errors: ['not_found'],
  },
];
