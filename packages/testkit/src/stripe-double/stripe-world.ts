import type { StripeState } from './stripe-state.ts';
import type { StripeWebhooks } from './stripe-webhooks.ts';

/** What endpoints and people act on: the state, and who is told of its changes. */
export interface StripeWorld {
  readonly state: StripeState;
  readonly happened: StripeWebhooks['happened'];
}
