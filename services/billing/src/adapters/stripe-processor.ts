import type { Clock } from '@tollgate/kernel/clock';
import type Stripe from 'stripe';
import type { ProcessorAccounts } from '../app/processor.ts';
import { createCallStripe } from './call-stripe.ts';
import { createStripeCustomers } from './stripe-customers.ts';
import { createStripePayoutAccounts } from './stripe-payout-accounts.ts';

export interface StripeProcessorOptions {
  readonly stripe: Stripe;
  readonly clock: Clock;
}

/** Stripe, by its own library. Accounts are Express accounts; cards are entered on pages of Stripe's. */
export function createStripeProcessor({ stripe, clock }: StripeProcessorOptions): ProcessorAccounts {
  const deps = { stripe, clock, callStripe: createCallStripe({ clock }) };
  return { name: 'stripe', payoutAccounts: createStripePayoutAccounts(deps), customers: createStripeCustomers(deps) };
}
