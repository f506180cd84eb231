import type { Clock } from '@tollgate/kernel/clock';
import type Stripe from 'stripe';
import type { CallStripe } from './call-stripe.ts';

export interface StripeDeps {
  readonly stripe: Stripe;
  readonly clock: Clock;
  readonly callStripe: CallStripe;
}
