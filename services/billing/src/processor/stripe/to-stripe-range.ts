import type { TimeWindow } from '../processor.ts';

/**
 * Stripe's range counts whole seconds. Both bounds are rounded up, so that it covers what Stripe created within the
 * window.
 */
export function toStripeRange({ sinceMs, untilMs }: TimeWindow): { readonly gte: number; readonly lt: number } {
  return { gte: Math.ceil(sinceMs / 1_000), lt: Math.ceil(untilMs / 1_000) };
}
