import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { startStripeDouble, type StripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';

export const stripeSecretKey = 'sk_test_of_these_tests_and_of_nothing_else';

export interface OpenStripe {
  readonly double: StripeDouble;
  readonly clock: MovableClock;
}

/** Stripe's double, at a time that stands still. */
export async function openStripe(): Promise<OpenStripe> {
  const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));
  clock.freeze(true);
  return { clock, double: await startStripeDouble({ secretKey: stripeSecretKey, nowMs: clock.now }) };
}
