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

/** Money's ways in and out: the builder's payout account and the consumer's payment method. */
export const billingAccountRoutes: readonly Route[] = [
  {
    ...billing,
    operationId: 'getBillingAccount',
    method: 'GET',
    path: '/v1/billing/account',
    summary: 'The billing account',
    description:
      'As the payment processor last told. An account is connected once its owner has gone through onboarding.',
    responses: { 200: { description: 'The billing account.', schema: billingAccountSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'connect',
    method: 'POST',
    path: '/v1/billing/connect',
    summary: 'Make a link to connect a payout account',
    description:
      'Again: a new link to the same account. The account stays its owner’s, who may disconnect at any time.',
    body: connectSchema,
    idempotencyKey: true,
    responses: { 200: { description: 'The link.', schema: connectLinkSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'disconnect',
    method: 'DELETE',
    path: '/v1/billing/connect',
    summary: 'Disconnect the payout account',
    description: 'Payouts stop; money owed stays owed. Also when nothing is connected.',
    responses: { 204: { description: 'Nothing is connected.' } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'setUpPaymentMethod',
    method: 'POST',
    path: '/v1/billing/payment-method',
    summary: 'Make a link to set up a payment method',
    description: 'The method that is set up there takes the place of an earlier one.',
    body: setupPaymentMethodSchema,
    idempotencyKey: true,
    responses: { 200: { description: 'The link.', schema: setupLinkSchema } },
    errors: [],
  },
  {
    ...billing,
    operationId: 'getPaymentMethod',
    method: 'GET',
    path: '/v1/billing/payment-method',
    summary: 'The payment method',
    responses: { 200: { description: 'The payment method.', schema: paymentMethodSchema } },
    errors: ['not_found'],
  },
  {
    ...billing,
    operationId: 'removePaymentMethod',
    method: 'DELETE',
    path: '/v1/billing/payment-method',
    summary: 'Remove the payment method',
    description: 'Also when there is none.',
    responses: { 204: { description: 'There is none.' } },
    errors: [],
  },
];
