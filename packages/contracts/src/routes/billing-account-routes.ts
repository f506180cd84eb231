import {
  billingAccountSchema,
  connectLinkSchema,
  connectSchema,
  paymentMethodSchema,
  setupLinkSchema,
  setupPaymentMethodSchema,
} from '../billing-account.ts';
import type { Route } from '../route.ts';

const billing = { service: 'billing', tag: 'Billing', access: 'account' } as const;

/** What a route answers that asks the payment processor. */
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
    idempotencyKey: true,
    responses: { 200: { description: 'The link.', schema: connectLinkSchema } },
    errors: processorErrors,
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
    operationId: 'setUpPaymentMethod',
    method: 'POST',
    path: '/v1/billing/payment-method',
    summary: 'Create a link to set up a payment method',
    description: 'A method that is set up there replaces the earlier method.',
    body: setupPaymentMethodSchema,
    idempotencyKey: true,
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
];
