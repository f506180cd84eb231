import type { Clock } from '@tollgate/kernel/clock';
import type Stripe from 'stripe';
import type { Processor } from '../processor.ts';
import { createCallStripe } from './call-stripe.ts';
import { createFindStripeSetupProblems, createReadStripeBalance, createStripeOwnPayouts } from './stripe-balance.ts';
import { createStripeCharges } from './stripe-charges.ts';
import { createStripeCustomers } from './stripe-customers.ts';
import { createStripeDisputes, createStripeEvents } from './stripe-events.ts';
import { createStripePayoutAccounts } from './stripe-payout-accounts.ts';
import { createStripeRefunds, createStripeTransfers } from './stripe-transfers.ts';

export interface StripeProcessorOptions {
  readonly stripe: Stripe;
  readonly clock: Clock;
  /** As for `createCallStripe`. */
  readonly intervalMs?: number;
}

/**
 * The processor Stripe, by its official library. Owners have Express accounts, and cards are entered on Stripe's pages.
 */
export function createStripeProcessor({ stripe, clock, intervalMs }: StripeProcessorOptions): Processor {
  const deps = { stripe, clock, callStripe: createCallStripe({ clock, intervalMs }) };
  return {
    name: 'stripe',
    payoutAccounts: createStripePayoutAccounts(deps),
    customers: createStripeCustomers(deps),
    charges: createStripeCharges(deps),
    refunds: createStripeRefunds(deps),
    transfers: createStripeTransfers(deps),
    disputes: createStripeDisputes(deps),
    ownPayouts: createStripeOwnPayouts(deps),
    events: createStripeEvents(deps),
    readBalance: createReadStripeBalance(deps),
    findSetupProblems: createFindStripeSetupProblems(deps),
  };
}
