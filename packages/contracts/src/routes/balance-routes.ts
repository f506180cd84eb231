import { z } from 'zod';
import { balanceSchema, creditListSchema, creditOrderSchema, creditSchema } from '../balance.ts';
import { idSchema } from '../id.ts';
import type { Route } from '../route.ts';

const ofAccount = {
  service: 'billing',
  access: 'operator',
  tag: 'Operator',
  path: '/v1/operator/accounts/{account_id}/credits',
  params: z.object({ account_id: idSchema }),
} as const;

export const balanceRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Billing',
    access: 'account',
    operationId: 'getBalance',
    method: 'GET',
    path: '/v1/billing/balance',
    summary: 'Get the balance',
    description: 'An invoice takes the balance first, and charges the card for the rest.',
    responses: { 200: { description: 'The balance.', schema: balanceSchema } },
    errors: [],
  },
  {
    ...ofAccount,
    operationId: 'grantCredit',
    method: 'POST',
    summary: 'Grant a credit to an account',
    description:
      'Puts money on the balance of the account, which the platform pays. Invoices that the account owes are collected at once. With an `Idempotency-Key` a credit is granted only once, for ever; without a key each request is another credit.',
    body: creditOrderSchema,
    idempotencyKey: true,
    responses: { 201: { description: 'The credit.', schema: creditSchema, headers: ['Idempotent-Replayed'] } },
    errors: ['not_found'],
  },
  {
    ...ofAccount,
    operationId: 'listCredits',
    method: 'GET',
    summary: 'List the credits of an account',
    responses: { 200: { description: 'All credits of the account.', schema: creditListSchema } },
    errors: ['not_found'],
  },
];
