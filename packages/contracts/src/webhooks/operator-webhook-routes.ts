import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import type { Route } from '../routes/route.ts';
import {
  createdWebhookEndpointSchema,
  createWebhookEndpointSchema,
  rotateWebhookSecretSchema,
  updateWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointsMax,
} from './webhook-endpoints.ts';
import { webhookEventSchema } from './webhook-events.ts';

const ofOperator = { service: 'notifier', tag: 'Operator', access: 'operator' } as const;
const params = z.object({ id: idSchema });
const path = '/v1/operator/webhook-endpoints';

export const operatorWebhookRoutes: readonly Route[] = [
  {
    ...ofOperator,
    operationId: 'createOperatorWebhookEndpoint',
    method: 'POST',
    idempotencyKey: { refused: 'each request registers another endpoint; the list has those that there are' },
    path,
    summary: 'Register a webhook endpoint of the operator',
    description: `It is told what happens to all accounts; \`account_id\` of \`data\` says to whom. There are at most ${webhookEndpointsMax}.`,
    body: createWebhookEndpointSchema,
    responses: {
      201: { description: 'The endpoint. Its `secret` is shown this once.', schema: createdWebhookEndpointSchema },
    },
    errors: ['webhook_url_refused', 'too_many_webhook_endpoints'],
  },
  {
    ...ofOperator,
    operationId: 'listOperatorWebhookEndpoints',
    method: 'GET',
    path,
    summary: 'List the webhook endpoints of the operator',
    responses: { 200: { description: 'All of them.', schema: webhookEndpointListSchema } },
    errors: [],
  },
  {
    ...ofOperator,
    operationId: 'getOperatorWebhookEndpoint',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Get a webhook endpoint of the operator',
    params,
    responses: { 200: { description: 'The endpoint.', schema: webhookEndpointSchema } },
    errors: ['not_found'],
  },
  {
    ...ofOperator,
    operationId: 'updateOperatorWebhookEndpoint',
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change or disable a webhook endpoint of the operator',
    params,
    body: updateWebhookEndpointSchema,
    responses: { 200: { description: 'The endpoint as it is now.', schema: webhookEndpointSchema } },
    errors: ['not_found', 'webhook_url_refused'],
  },
  {
    ...ofOperator,
    operationId: 'rotateOperatorWebhookSecret',
    method: 'POST',
    idempotencyKey: { refused: 'each request makes another secret' },
    path: `${path}/{id}/rotate-secret`,
    summary: 'Replace the secret of a webhook endpoint of the operator',
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
    ...ofOperator,
    operationId: 'testOperatorWebhookEndpoint',
    method: 'POST',
    idempotencyKey: { refused: 'each request sends another test' },
    path: `${path}/{id}/test`,
    summary: 'Test a webhook endpoint of the operator',
    description: '`failing_since` of the endpoint says whether its last answer was a success.',
    params,
    responses: { 202: { description: 'The event, which is sent at once.', schema: webhookEventSchema } },
    errors: ['not_found', 'webhook_endpoint_disabled'],
  },
  {
    ...ofOperator,
    operationId: 'deleteOperatorWebhookEndpoint',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove a webhook endpoint of the operator',
    params,
    responses: { 204: { description: 'The endpoint is removed.' } },
    errors: ['not_found'],
  },
];
