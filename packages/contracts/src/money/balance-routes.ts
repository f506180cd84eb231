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
} from './balance.ts';
import { balanceRefundListSchema, balanceRefundOrderSchema, balanceRefundSchema } from './balance-refunds.ts';
import { idSchema } from '../forms/id.ts';
import { pageQuerySchema } from '../forms/lists.ts';
import type { Route } from '../routes/route.ts';

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
    summary: 'Create a top-up',
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
    summary: 'Set automatic top-up',
    description:
      'Charges the payment method on file automatically, one charge at a time. A failed charge is tried again after 1 hour, then at growing intervals, or at once with a new payment method. A failure raises an alert, and so does a month whose limit has no room for another charge.',
    body: autoTopUpInputSchema,
    responses: { 200: { description: 'The automatic top-up as it is now.', schema: autoTopUpSchema } },
    errors: [],
  },
  {
    ...ofAutoTopUp,
    operationId: 'getAutoTopUp',
    method: 'GET',
    summary: 'Get automatic top-up',
    responses: { 200: { description: 'The automatic top-up.', schema: autoTopUpSchema } },
    errors: ['not_found'],
  },
  {
    ...ofAutoTopUp,
    operationId: 'deleteAutoTopUp',
    method: 'DELETE',
    summary: 'Remove automatic top-up',
    responses: { 204: { description: 'There is no automatic top-up.' } },
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
    summary: 'Set low-balance alerts',
    description:
      'Replaces the thresholds. An alert is raised when less than one of them can be spent: once, and again after more could be spent meanwhile. What is held for calls counts as not spent. `GET /v1/billing/balance` shows the thresholds, and `GET /v1/billing/alerts` lists the alerts.',
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
