import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** How you are paid (payout account) and how you pay (payment method). */
export function billingOf(call: Call) {
  return {
    /** The payout account and the pending balance. */
    account: (options?: CallOptions) => call('getBillingAccount', {}, options),
    /** The balance, which pays invoices before a card does. */
    balance: (options?: CallOptions) => call('getBalance', {}, options),
    /** Charges the payment method for the balance. */
    topUp: (body: Schemas['TopUpOrder'], options?: CallOptions) => call('createTopUp', { body }, options),
    topUps: (query?: Query<'listTopUps'>, options?: CallOptions) =>
      new Listing(call, { id: 'listTopUps', query, options }, (page) => page.top_ups),
    /** Refunds unused balance to the cards that paid it. */
    refundBalance: (body: Schemas['BalanceRefundOrder'] = {}, options?: CallOptions) =>
      call('refundBalance', { body }, options),
    balanceRefunds: (query?: Query<'listBalanceRefunds'>, options?: CallOptions) =>
      new Listing(call, { id: 'listBalanceRefunds', query, options }, (page) => page.refunds),
    getBalanceRefund: (id: string, options?: CallOptions) => call('getBalanceRefund', { path: { id } }, options),
    /** Raises an alert when there is less to spend than one of these. */
    setBalanceAlerts: (body: Schemas['BalanceAlertsInput'], options?: CallOptions) =>
      call('putBalanceAlerts', { body }, options),
    /** The automatic top-up of the balance. */
    autoTopUp: (options?: CallOptions) => call('getAutoTopUp', {}, options),
    setAutoTopUp: (body: Schemas['AutoTopUpInput'], options?: CallOptions) => call('putAutoTopUp', { body }, options),
    removeAutoTopUp: (options?: CallOptions) => call('deleteAutoTopUp', {}, options),
    getTopUp: (id: string, options?: CallOptions) => call('getTopUp', { path: { id } }, options),
    /** A link that connects a payout account. */
    connect: (body: Schemas['NewConnectLink'], options?: CallOptions) => call('connect', { body }, options),
    /** A link to the payout account at the payment processor. */
    loginLink: (options?: CallOptions) => call('createLoginLink', {}, options),
    disconnect: (options?: CallOptions) => call('disconnect', {}, options),
    /** A link that sets up a payment method. */
    setUpPaymentMethod: (body: Schemas['NewPaymentMethodSetup'], options?: CallOptions) =>
      call('setUpPaymentMethod', { body }, options),
    paymentMethod: (options?: CallOptions) => call('getPaymentMethod', {}, options),
    removePaymentMethod: (options?: CallOptions) => call('removePaymentMethod', {}, options),
    /** Your name and address on invoices. */
    details: (options?: CallOptions) => call('getBillingDetails', {}, options),
    /** Replaces all of them, for invoices from now on. */
    setDetails: (body: Schemas['NewBillingDetails'], options?: CallOptions) =>
      call('setBillingDetails', { body }, options),
    /** Earnings by tool, charge and day, which sum to the payout of the month. */
    statement: (query?: Query<'getStatement'>, options?: CallOptions) => call('getStatement', { query }, options),
  };
}
