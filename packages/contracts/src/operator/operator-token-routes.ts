import { z } from 'zod';
import { pageQuerySchema } from '../forms/lists.ts';
import {
  createdOperatorTokenSchema,
  createOperatorTokenSchema,
  operatorTokenListSchema,
  operatorTokenNameSchema,
} from './operator-tokens.ts';
import type { Route } from '../routes/route.ts';

const ofTokens = { service: 'auth', tag: 'Operator', access: 'operator' } as const;

export const operatorTokenRoutes: readonly Route[] = [
  {
    ...ofTokens,
    operationId: 'listOperatorTokens',
    method: 'GET',
    path: '/v1/operator/tokens',
    summary: 'List the tokens of the operator',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of tokens, also of refused ones.', schema: operatorTokenListSchema } },
    errors: [],
  },
  {
    ...ofTokens,
    operationId: 'createOperatorToken',
    method: 'POST',
    idempotencyKey: { refused: 'a name has one token, and a repeat is 409' },
    path: '/v1/operator/tokens',
    summary: 'Create a token of the operator',
    description:
      'The name of a token that is revoked or has expired is free again. A token that expires creates none that outlives it.',
    body: createOperatorTokenSchema,
    responses: {
      201: { description: 'The token, known to every service within a second.', schema: createdOperatorTokenSchema },
    },
    errors: ['forbidden', 'operator_token_taken', 'too_many_operator_tokens'],
  },
  {
    ...ofTokens,
    operationId: 'revokeOperatorToken',
    method: 'DELETE',
    path: '/v1/operator/tokens/{name}',
    summary: 'Revoke a token of the operator',
    description:
      'Every service refuses it within a second. `default` is OPERATOR_TOKEN of the settings until it is rotated. The command line makes new tokens when none is left.',
    params: z.object({ name: operatorTokenNameSchema }),
    responses: { 204: { description: 'The token is revoked.' } },
    errors: ['not_found'],
  },
];
