import type { MovableClock } from '@tollgate/kernel/clock';
import { startStripeDouble, type StripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';
import { frozenClock } from './frozen-clock.ts';

export const stripeSecretKey = 'sk_test_of_these_tests_and_of_nothing_else';

export interface OpenStripe {
  readonly double: StripeDouble;
  readonly clock: MovableClock;
}

/** Stripe's double, at a time that stands still. */
export async function openStripe(): Promise<OpenStripe> {
  const clock = frozenClock('2026-11-21T12:34:56.789Z');
  return { clock, double: await startStripeDouble({ secretKey: stripeSecretKey, nowMs: clock.now }) };
}
