import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import {
  createdWebhookEndpointSchema,
  createWebhookEndpointSchema,
  rotateWebhookSecretSchema,
  updateWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
} from './webhook-endpoints.ts';
import { webhookEventSchema } from './webhook-events.ts';

export const endpointParams = z.object({ id: idSchema });

/** The requests and answers of the routes, alike for accounts and for the operator. */
export const endpointShapes = {
  create: {
    method: 'POST',
    body: createWebhookEndpointSchema,
    responses: {
      201: { description: 'The endpoint. Its `secret` is shown this once.', schema: createdWebhookEndpointSchema },
    },
    errors: ['webhook_url_refused', 'too_many_webhook_endpoints'],
  },
  list: {
    method: 'GET',
    responses: { 200: { description: 'All of them.', schema: webhookEndpointListSchema } },
    errors: [],
  },
  get: {
    method: 'GET',
    params: endpointParams,
    responses: { 200: { description: 'The endpoint.', schema: webhookEndpointSchema } },
    errors: ['not_found'],
  },
  update: {
    method: 'PATCH',
    params: endpointParams,
    body: updateWebhookEndpointSchema,
    responses: { 200: { description: 'The endpoint as it is now.', schema: webhookEndpointSchema } },
    errors: ['not_found', 'webhook_url_refused'],
  },
  rotateSecret: {
    method: 'POST',
    params: endpointParams,
    body: rotateWebhookSecretSchema,
    responses: {
      200: {
        description: 'The endpoint with its new `secret`, shown this once.',
        schema: createdWebhookEndpointSchema,
      },
    },
    errors: ['not_found'],
  },
  test: {
    method: 'POST',
    idempotencyKey: { refused: 'each request sends another test' },
    params: endpointParams,
    responses: { 202: { description: 'The event, which is sent at once.', schema: webhookEventSchema } },
    errors: ['not_found', 'webhook_endpoint_disabled'],
  },
  remove: {
    method: 'DELETE',
    params: endpointParams,
    responses: { 204: { description: 'The endpoint is removed.' } },
    errors: ['not_found'],
  },
} as const;
