import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import {
  billingAccountSchema,
  connectLinkSchema,
  connectSchema,
  loginLinkSchema,
  payoutAccountSchema,
  paymentMethodSchema,
  setupLinkSchema,
  setupPaymentMethodSchema,
} from './billing-account.ts';
import { billingDetailsInputSchema, billingDetailsSchema } from './billing-details.ts';
import type { Route } from '../routes/route.ts';

const billing = { service: 'billing', tag: 'Billing', access: 'account' } as const;

/** The errors of a route that asks the payment processor. */
const processorErrors = ['processor_refused', 'processor_unavailable'] as const;

/** The builder's payout account and the consumer's payment method. */
export const billingAccountRoutes: readonly Route[] = [
  {
    ...billing,
    operationId: 'getBillingAccount',
    method: 'GET',
    path: '/v1/billing/account',
    summary: 'Get the billing account',
    description:
      'Shows the last known state at the payment processor. An account is connected once its owner has completed onboarding.',
    responses: { 200: { description: 'The billing account.', schema: billingAccountSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'connect',
    method: 'POST',
    path: '/v1/billing/connect',
    summary: 'Create a link to connect a payout account',
    description:
      'A repeated request creates a new link to the same account. The account belongs to its owner, who may disconnect it at any time.',
    body: connectSchema,
    idempotencyKey: 'replayed',
    responses: { 200: { description: 'The link.', schema: connectLinkSchema } },
    errors: ['payout_country_fixed', ...processorErrors],
  },
  {
    ...billing,
    operationId: 'createLoginLink',
    method: 'POST',
    idempotencyKey: { refused: 'each link works once' },
    path: '/v1/billing/account/login-link',
    summary: 'Create a link to the payout account',
    description:
      'Leads to the processor’s own pages, where the owner sees its payouts and corrects its bank account. 404 until an account is connected.',
    responses: { 200: { description: 'The link.', schema: loginLinkSchema } },
    errors: ['not_found', ...processorErrors],
  },
  {
    ...billing,
    operationId: 'disconnect',
    method: 'DELETE',
    path: '/v1/billing/connect',
    summary: 'Disconnect the payout account',
    description:
      'Payouts stop, and money that is owed stays owed. The answer is the same when no account is connected.',
    responses: { 204: { description: 'No payout account is connected.' } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'setBillingDetails',
    method: 'PUT',
    path: '/v1/billing/details',
    summary: 'Set the billing details',
    description:
      'Replaces all of them. An invoice keeps the details of the moment when it is issued, so a later change alters no invoice.',
    body: billingDetailsInputSchema,
    responses: { 200: { description: 'The billing details.', schema: billingDetailsSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'getBillingDetails',
    method: 'GET',
    path: '/v1/billing/details',
    summary: 'Get the billing details',
    description: 'Name and address that the next invoices print. 404 until they were set.',
    responses: { 200: { description: 'The billing details.', schema: billingDetailsSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'setUpPaymentMethod',
    method: 'POST',
    path: '/v1/billing/payment-method',
    summary: 'Create a link to set up a payment method',
    description: 'A method that is set up there replaces the earlier method.',
    body: setupPaymentMethodSchema,
    idempotencyKey: 'replayed',
    responses: { 200: { description: 'The link.', schema: setupLinkSchema } },
    errors: processorErrors,
  },
  {
    ...billing,
    operationId: 'getPaymentMethod',
    method: 'GET',
    path: '/v1/billing/payment-method',
    summary: 'Get the payment method',
    responses: { 200: { description: 'The payment method.', schema: paymentMethodSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'removePaymentMethod',
    method: 'DELETE',
    path: '/v1/billing/payment-method',
    summary: 'Remove the payment method',
    description: 'The answer is the same when there is none.',
    responses: { 204: { description: 'There is no payment method.' } },
    errors: processorErrors,
  },
  {
    service: 'billing',
    tag: 'Operator',
    access: 'operator',
    operationId: 'getPayoutAccount',
    method: 'GET',
    path: '/v1/operator/accounts/{account_id}/payout-account',
    summary: 'Get the payout account of an account',
    description: 'Shows the last known state at the payment processor, also before onboarding is complete.',
    params: z.object({ account_id: idSchema }),
    responses: { 200: { description: 'The payout account.', schema: payoutAccountSchema } },
    errors: ['not_found'],
  },
];
