import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import {
  payoutAttemptsSchema,
  payoutDetailSchema,
  payoutListSchema,
  payoutQuerySchema,
  statementQuerySchema,
  statementSchema,
} from './payouts.ts';
import type { Route } from '../routes/route.ts';

const billing = { service: 'billing', tag: 'Billing', access: 'account' } as const;
const operator = { service: 'billing', tag: 'Operator', access: 'operator' } as const;
const aPage = { 200: { description: 'A page of payouts.', schema: payoutListSchema } };

export const payoutRoutes: readonly Route[] = [
  {
    ...billing,
    operationId: 'listPayouts',
    method: 'GET',
    path: '/v1/billing/payouts',
    summary: 'List payouts',
    description:
      'Lists your payouts as a builder, one per period with earnings. Until the payout day it is `pending` and assumes that all charges are collected. Money that is collected later is in the payout of a later period.',
    query: payoutQuerySchema,
    responses: aPage,
    errors: [],
  },
  {
    ...billing,
    operationId: 'getPayout',
    method: 'GET',
    path: '/v1/billing/payouts/{id}',
    summary: 'Get a payout with its transfer attempts',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The payout.', schema: payoutDetailSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'getStatement',
    method: 'GET',
    path: '/v1/billing/statements',
    summary: 'Get the statement of a payout',
    description: 'Splits a payout by tool, charge and day. A period without a payout, pending or not, is 404.',
    query: statementQuerySchema,
    responses: { 200: { description: 'The statement.', schema: statementSchema } },
    errors: ['not_found'],
  },
  {
    ...operator,
    operationId: 'listPayoutsOfAccount',
    method: 'GET',
    path: '/v1/operator/accounts/{account_id}/payouts',
    summary: 'List the payouts of an account',
    description: 'Lists the payouts as their owner sees them.',
    params: z.object({ account_id: idSchema }),
    query: payoutQuerySchema,
    responses: aPage,
    errors: ['not_found'],
  },
  {
    ...operator,
    operationId: 'listPayoutAttempts',
    method: 'GET',
    path: '/v1/operator/payouts/{payout_id}/attempts',
    summary: 'List transfer attempts of a payout',
    description: 'A pending payout has no attempts yet.',
    params: z.object({ payout_id: idSchema }),
    responses: { 200: { description: 'All attempts, oldest first.', schema: payoutAttemptsSchema } },
    errors: ['not_found'],
  },
];
