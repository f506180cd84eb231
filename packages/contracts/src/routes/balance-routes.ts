import { z } from 'zod';
import {
  balanceAlertsInputSchema,
  balanceAlertsSchema,
  autoTopUpInputSchema,
  autoTopUpSchema,
  balanceSchema,
  creditLimitInputSchema,
  creditLimitShownSchema,
  creditListSchema,
  creditOrderSchema,
  creditSchema,
  topUpListSchema,
  topUpOrderSchema,
  topUpSchema,
} from '../balance.ts';
import { balanceRefundListSchema, balanceRefundOrderSchema, balanceRefundSchema } from '../balance-refunds.ts';
import { idSchema } from '../id.ts';
import { pageQuerySchema } from '../lists.ts';
import type { Route } from '../route.ts';

const ofAccount = {
  service: 'billing',
  access: 'operator',
  tag: 'Operator',
  path: '/v1/operator/accounts/{account_id}/credits',
  params: z.object({ account_id: idSchema }),
} as const;

const ofTopUps = { service: 'billing', tag: 'Billing', access: 'account', path: '/v1/billing/top-ups' } as const;

const topUpRoutes: readonly Route[] = [
  {
    ...ofTopUps,
    operationId: 'createTopUp',
    method: 'POST',
    summary: 'Create a top-up of the balance',
    description:
      'Charges the payment method on file. Once the charge has succeeded, its money is on the balance, and invoices that are due are paid from it. With an `Idempotency-Key` it is ordered only once, for ever; without a key each request is another top-up.',
    body: topUpOrderSchema,
    idempotencyKey: 'replayed',
    responses: { 201: { description: 'The top-up.', schema: topUpSchema, headers: ['Idempotent-Replayed'] } },
    errors: ['payment_method_required'],
  },
  {
    ...ofTopUps,
    operationId: 'listTopUps',
    method: 'GET',
    summary: 'List your top-ups',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of top-ups.', schema: topUpListSchema } },
    errors: [],
  },
  {
    ...ofTopUps,
    operationId: 'getTopUp',
    method: 'GET',
    path: '/v1/billing/top-ups/{id}',
    summary: 'Get a top-up',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The top-up.', schema: topUpSchema } },
    errors: ['not_found'],
  },
];

const ofRefunds = {
  service: 'billing',
  tag: 'Billing',
  access: 'account',
  path: '/v1/billing/balance/refunds',
} as const;

const refundRoutes: readonly Route[] = [
  {
    ...ofRefunds,
    operationId: 'refundBalance',
    method: 'POST',
    summary: 'Refund unused balance to its cards',
    description:
      'Money of top-ups goes back to the cards that paid them, the newest top-up first. Unused is what neither your invoices, nor calls that no invoice has billed yet, nor authorizations need. Granted credits are never refunded. The money leaves the balance at once, and comes back if the processor refuses. Remove an automatic top-up before, else it charges the card again. With an `Idempotency-Key` it is ordered only once, for ever; without a key each request is another refund.',
    body: balanceRefundOrderSchema,
    idempotencyKey: 'replayed',
    responses: { 201: { description: 'The refund.', schema: balanceRefundSchema, headers: ['Idempotent-Replayed'] } },
    errors: ['refund_too_large'],
  },
  {
    ...ofRefunds,
    operationId: 'listBalanceRefunds',
    method: 'GET',
    summary: 'List the refunds of your balance',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of refunds.', schema: balanceRefundListSchema } },
    errors: [],
  },
  {
    ...ofRefunds,
    operationId: 'getBalanceRefund',
    method: 'GET',
    path: '/v1/billing/balance/refunds/{id}',
    summary: 'Get a refund of your balance',
    params: z.object({ id: idSchema }),
    responses: { 200: { description: 'The refund.', schema: balanceRefundSchema } },
    errors: ['not_found'],
  },
  {
    ...ofAccount,
    path: '/v1/operator/accounts/{account_id}/balance-refunds',
    operationId: 'listBalanceRefundsOfAccount',
    method: 'GET',
    summary: 'List the refunds of an account’s balance',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of refunds.', schema: balanceRefundListSchema } },
    errors: ['not_found'],
  },
];

const ofAutoTopUp = { service: 'billing', tag: 'Billing', access: 'account', path: '/v1/billing/auto-top-up' } as const;

const autoTopUpRoutes: readonly Route[] = [
  {
    ...ofAutoTopUp,
    operationId: 'putAutoTopUp',
    method: 'PUT',
    summary: 'Set what tops the balance up by itself',
    description:
      'Charges the payment method on file by itself, one charge at a time. A failed charge is tried again after 1 hour, then ever later, or at once with a new payment method. A failure, and a month without room for another charge, raise an alert.',
    body: autoTopUpInputSchema,
    responses: { 200: { description: 'What tops it up now.', schema: autoTopUpSchema } },
    errors: [],
  },
  {
    ...ofAutoTopUp,
    operationId: 'getAutoTopUp',
    method: 'GET',
    summary: 'Get what tops the balance up by itself',
    responses: { 200: { description: 'What tops it up.', schema: autoTopUpSchema } },
    errors: ['not_found'],
  },
  {
    ...ofAutoTopUp,
    operationId: 'deleteAutoTopUp',
    method: 'DELETE',
    summary: 'Remove what tops the balance up by itself',
    responses: { 204: { description: 'Nothing tops it up by itself.' } },
    errors: [],
  },
];

export const balanceRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Billing',
    access: 'account',
    operationId: 'getBalance',
    method: 'GET',
    path: '/v1/billing/balance',
    summary: 'Get the balance',
    description:
      'An invoice takes the balance first, and charges the card for the rest. Where calls must be covered, `available_usd` is what they can still come to, as of their last settlement about a second ago.',
    responses: { 200: { description: 'The balance.', schema: balanceSchema } },
    errors: [],
  },
  {
    service: 'billing',
    tag: 'Billing',
    access: 'account',
    operationId: 'putBalanceAlerts',
    method: 'PUT',
    path: '/v1/billing/balance/alerts',
    summary: 'Set when you are told of a low balance',
    description:
      'Replaces the thresholds. Having less to spend than one of them raises an alert: once, and again when it was not below it meanwhile. What is held for calls counts as not spent. `GET /v1/billing/balance` shows the thresholds, and `GET /v1/billing/alerts` lists the alerts.',
    body: balanceAlertsInputSchema,
    responses: { 200: { description: 'The thresholds now.', schema: balanceAlertsSchema } },
    errors: [],
  },
  ...topUpRoutes,
  ...refundRoutes,
  ...autoTopUpRoutes,
  {
    ...ofAccount,
    operationId: 'grantCredit',
    method: 'POST',
    summary: 'Grant a credit to an account',
    description:
      'Puts money on the balance of the account, which the platform pays. Invoices that the account owes are collected at once. With an `Idempotency-Key` a credit is granted only once, for ever; without a key each request is another credit.',
    body: creditOrderSchema,
    idempotencyKey: 'replayed',
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
  {
    ...ofAccount,
    path: '/v1/operator/accounts/{account_id}/credit-limit',
    operationId: 'getCreditLimit',
    method: 'GET',
    summary: 'Get the credit limit of an account',
    responses: { 200: { description: 'The limit.', schema: creditLimitShownSchema } },
    errors: ['not_found'],
  },
  {
    ...ofAccount,
    path: '/v1/operator/accounts/{account_id}/credit-limit',
    operationId: 'setCreditLimit',
    method: 'PUT',
    summary: 'Set the credit limit of an account',
    description:
      'How far the account’s calls may exceed its balance. A call that would exceed it is refused with 402 `spending_cap_reached`. Null takes the bound away, unless the service runs with `CONSUMER_CREDIT=prepaid`.',
    body: creditLimitInputSchema,
    responses: { 200: { description: 'The limit now.', schema: creditLimitShownSchema } },
    errors: ['not_found'],
  },
];
