import { z } from 'zod';
import { idSchema } from '../id.ts';
import {
  payoutAttemptsSchema,
  payoutDetailSchema,
  payoutListSchema,
  payoutQuerySchema,
  statementQuerySchema,
  statementSchema,
} from '../payouts.ts';
import type { Route } from '../route.ts';

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
      'Yours as a builder, one a period that earned anything. Until its payout day a period is `pending`: as it would be if all was collected that was charged. What is collected later is in the payout of a later period.',
    query: payoutQuerySchema,
    responses: aPage,
    errors: [],
  },
  {
    ...billing,
    operationId: 'getPayout',
    method: 'GET',
    path: '/v1/billing/payouts/{id}',
    summary: 'A payout, by tool, with the attempts to transfer it',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The payout.', schema: payoutDetailSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'getStatement',
    method: 'GET',
    path: '/v1/billing/statements',
    summary: 'What a payout is made of: by tool, charge and day',
    description: '404 for a period without a payout, pending or not.',
    query: statementQuerySchema,
    responses: { 200: { description: 'The statement.', schema: statementSchema } },
    errors: ['not_found'],
  },
  {
    ...operator,
    operationId: 'listPayoutsOfAccount',
    method: 'GET',
    path: '/v1/operator/accounts/{account_id}/payouts',
    summary: 'The payouts of an account',
    description: 'As its owner sees them.',
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
    summary: 'The attempts to transfer a payout',
    description: 'Of one that was scheduled: none is made for a pending one.',
    params: z.object({ payout_id: idSchema }),
    responses: { 200: { description: 'All of them, in their order.', schema: payoutAttemptsSchema } },
    errors: ['not_found'],
  },
];
