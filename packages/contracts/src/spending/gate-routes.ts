import { z } from 'zod';
import {
  askAuthorizationSchema,
  authorizationListSchema,
  authorizationSchema,
  authorizationsQuerySchema,
  extendAuthorizationSchema,
  increaseAuthorizationSchema,
} from './authorizations.ts';
import { budgetSchema, putBudgetSchema, spendingAlertListSchema } from './budget.ts';
import { idSchema } from '../forms/id.ts';
import { pageQuerySchema } from '../forms/lists.ts';
import type { Route } from '../routes/route.ts';

const spending = { service: 'ingest-gateway', tag: 'Spending', access: 'account' } as const;
const params = z.object({ authorization_id: idSchema });
const authorization = { description: 'The authorization.', schema: authorizationSchema };
/** The refusals of more than an authorization has. */
const moreRefused: Route['errors'] = [
  'authorization_not_found',
  'authorization_not_open',
  'pass_refused',
  'tool_not_allowed',
  'tool_not_found',
  'payment_required',
  'spending_cap_reached',
  'unavailable',
];
const alerts = { description: 'A page of alerts.', schema: spendingAlertListSchema };

/** Money that is held before calls are made, and the caps that it must fit into. */
export const gateRoutes: readonly Route[] = [
  {
    ...spending,
    admitsPass: true,
    operationId: 'askAuthorization',
    keyScope: 'events',
    method: 'POST',
    idempotencyKey: 'of_body',
    path: '/v1/authorizations',
    summary: 'Authorize a call',
    description:
      'Holds the most that the call can come to. An event with its `authorization_id` captures the money; otherwise it is free again when the authorization is released or expires. The builder of the tool asks with the `pass` of the consumer who pays; a consumer asks for itself, or its agent with the pass as the bearer. Only the account that asked can capture, increase, extend or release it.',
    body: askAuthorizationSchema,
    rateLimited: true,
    responses: { 201: authorization },
    errors: [
      'pass_refused',
      'tool_not_allowed',
      'tool_not_found',
      'payment_required',
      'spending_cap_reached',
      'idempotency_key_reused',
      'unavailable',
    ],
  },
  {
    ...spending,
    admitsPass: true,
    operationId: 'listAuthorizations',
    admitsEventsKey: true,
    method: 'GET',
    path: '/v1/authorizations',
    summary: 'List open authorizations by reference',
    description: 'Those that you asked for, with this `reference`, and that an event can capture still.',
    query: authorizationsQuerySchema,
    responses: { 200: { description: 'A page of authorizations.', schema: authorizationListSchema } },
    errors: [],
  },
  {
    ...spending,
    admitsPass: true,
    operationId: 'getAuthorization',
    admitsEventsKey: true,
    method: 'GET',
    path: '/v1/authorizations/{authorization_id}',
    summary: 'Get an authorization',
    description:
      'The account that asked for it sees it, and so does the account that pays. An API key for `events` alone sees what its account asked for.',
    params,
    responses: { 200: authorization },
    errors: ['authorization_not_found'],
  },
  {
    ...spending,
    admitsPass: true,
    operationId: 'increaseAuthorization',
    keyScope: 'events',
    method: 'POST',
    idempotencyKey: { refused: '`max` is what a call comes to, so a repeat raises nothing more' },
    path: '/v1/authorizations/{authorization_id}/increase',
    summary: 'Increase an authorization',
    description:
      'Replaces `max` by a greater one, if a new authorization would be given at this moment. What is held is never lowered.',
    params,
    body: increaseAuthorizationSchema,
    rateLimited: true,
    responses: { 200: authorization },
    errors: moreRefused,
  },
  {
    ...spending,
    admitsPass: true,
    operationId: 'extendAuthorization',
    keyScope: 'events',
    method: 'POST',
    idempotencyKey: { refused: '`ttl_seconds` counts from now, so a repeat holds nothing more' },
    path: '/v1/authorizations/{authorization_id}/extend',
    summary: 'Extend an authorization',
    description:
      'Moves the moment at which it expires, if a new authorization until then would be given now: for a call that works on. Until 24 hours after it was asked for, and never to an earlier moment.',
    params,
    body: extendAuthorizationSchema,
    rateLimited: true,
    responses: { 200: authorization },
    errors: moreRefused,
  },
  {
    ...spending,
    admitsPass: true,
    operationId: 'releaseAuthorization',
    keyScope: 'events',
    method: 'DELETE',
    path: '/v1/authorizations/{authorization_id}',
    summary: 'Release an authorization',
    description: 'Frees at once what is held. A repeated request has the same answer.',
    params,
    responses: { 204: { description: 'Nothing is held.' } },
    errors: ['authorization_not_found', 'authorization_not_open'],
  },
  {
    ...spending,
    operationId: 'putBudget',
    method: 'PUT',
    path: '/v1/billing/budget',
    summary: 'Set the budget',
    description:
      'Calls that do not fit into it are refused with 402. A raised budget counts at once. A new one is known everywhere within a second; calls taken before that count, and may exceed it.',
    body: putBudgetSchema,
    responses: { 200: { description: 'The budget.', schema: budgetSchema } },
    errors: [],
  },
  {
    ...spending,
    operationId: 'getBudget',
    method: 'GET',
    path: '/v1/billing/budget',
    summary: 'Get the budget',
    responses: { 200: { description: 'The budget.', schema: budgetSchema } },
    errors: ['not_found'],
  },
  {
    ...spending,
    operationId: 'deleteBudget',
    method: 'DELETE',
    path: '/v1/billing/budget',
    summary: 'Remove the budget',
    responses: { 204: { description: 'The account has no budget.' } },
    errors: [],
  },
  {
    ...spending,
    operationId: 'listSpendingAlerts',
    method: 'GET',
    path: '/v1/billing/alerts',
    summary: 'List spending alerts',
    query: pageQuerySchema,
    responses: { 200: alerts },
    errors: [],
  },
  {
    service: 'ingest-gateway',
    tag: 'Operator',
    access: 'operator',
    operationId: 'listAllSpendingAlerts',
    method: 'GET',
    path: '/v1/operator/alerts',
    summary: 'List the spending alerts of all accounts',
    query: pageQuerySchema,
    responses: { 200: alerts },
    errors: [],
  },
];
