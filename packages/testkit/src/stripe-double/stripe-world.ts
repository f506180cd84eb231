import type { StripeState } from './stripe-state.ts';
import type { StripeWebhooks } from './stripe-webhooks.ts';

/** The state that endpoints and people change, and the receivers of its events. */
export interface StripeWorld {
  readonly state: StripeState;
  readonly happened: StripeWebhooks['happened'];
  readonly events: StripeWebhooks['events'];
}
