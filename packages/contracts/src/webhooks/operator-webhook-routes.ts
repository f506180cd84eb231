import type { Route } from '../routes/route.ts';
import { endpointShapes } from './endpoint-shapes.ts';
import { webhookEndpointsMax } from './webhook-endpoints.ts';

const ofOperator = { service: 'notifier', tag: 'Operator', access: 'operator' } as const;
const path = '/v1/operator/webhook-endpoints';

export const operatorWebhookRoutes: readonly Route[] = [
  {
    ...ofOperator,
    ...endpointShapes.create,
    operationId: 'createOperatorWebhookEndpoint',
    idempotencyKey: { refused: 'each request registers another endpoint; the list has those that there are' },
    path,
    summary: 'Register a webhook endpoint of the operator',
    description: `It is told what happens to all accounts; \`account_id\` of \`data\` says to whom. There are at most ${webhookEndpointsMax}.`,
  },
  {
    ...ofOperator,
    ...endpointShapes.list,
    operationId: 'listOperatorWebhookEndpoints',
    path,
    summary: 'List the webhook endpoints of the operator',
  },
  {
    ...ofOperator,
    ...endpointShapes.get,
    operationId: 'getOperatorWebhookEndpoint',
    path: `${path}/{id}`,
    summary: 'Get a webhook endpoint of the operator',
  },
  {
    ...ofOperator,
    ...endpointShapes.update,
    operationId: 'updateOperatorWebhookEndpoint',
    path: `${path}/{id}`,
    summary: 'Change or disable a webhook endpoint of the operator',
  },
  {
    ...ofOperator,
    ...endpointShapes.rotateSecret,
    operationId: 'rotateOperatorWebhookSecret',
    idempotencyKey: { refused: 'each request makes another secret' },
    path: `${path}/{id}/rotate-secret`,
    summary: 'Replace the secret of a webhook endpoint of the operator',
  },
  {
    ...ofOperator,
    ...endpointShapes.test,
    operationId: 'testOperatorWebhookEndpoint',
    path: `${path}/{id}/test`,
    summary: 'Test a webhook endpoint of the operator',
    description: '`failing_since` of the endpoint says whether its last answer was a success.',
  },
  {
    ...ofOperator,
    ...endpointShapes.remove,
    operationId: 'deleteOperatorWebhookEndpoint',
    path: `${path}/{id}`,
    summary: 'Remove a webhook endpoint of the operator',
  },
];
