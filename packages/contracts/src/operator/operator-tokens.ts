import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { listSchema, pageQuerySchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { slugSchema } from '../forms/slug.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

export const operatorTokenNameSchema = slugSchema.meta({
  description: 'Lower-case letters, digits and inner hyphens. The audit trail shows this name.',
  examples: ['nightly-report'],
});

/** The content of a cursor of the list. */
export const operatorTokenPlaceSchema = z.tuple([operatorTokenNameSchema]);

export const createOperatorTokenSchema = closedObject({
  name: operatorTokenNameSchema,
  expires_at: optional(timestampSchema).meta({
    description: 'From this time on the token is refused, by real time: moving the sandbox clock changes nothing.',
    examples: ['2032-01-01T00:00:00.000Z'],
  }),
}).meta({ id: 'NewOperatorToken', examples: [{ name: 'nightly-report', expires_at: '2032-01-01T00:00:00.000Z' }] });

const operatorTokenSchema = z
  .object({
    name: z.string().meta({ description: 'The name in the audit trail.', examples: ['nightly-report'] }),
    state: z.enum(['live', 'expired', 'revoked']),
    created_at: isoTimeSchema.nullable().meta({ description: 'Null for the token of the settings, OPERATOR_TOKEN.' }),
    expires_at: isoTimeSchema.nullable().meta({ description: 'From this time on it is refused; null for never.' }),
    revoked_at: isoTimeSchema.nullable().meta({ description: 'When it was revoked; null if it was not.' }),
  })
  .meta({ id: 'OperatorToken', description: 'A token of the operator, without the token itself.' });

const createdOperatorTokenSchema = operatorTokenSchema
  .extend({
    token: z.string().meta({
      description: 'The token. It is shown only once.',
      examples: ['operator_0123456789ABCDEFabcdef0123456789ABCDEF012'],
    }),
  })
  .meta({ id: 'CreatedOperatorToken' });

const operatorTokenListSchema = listSchema({
  id: 'OperatorTokenList',
  name: 'operator_tokens',
  item: operatorTokenSchema,
  order: 'by name',
});

export type ApiOperatorToken = z.infer<typeof operatorTokenSchema>;

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
