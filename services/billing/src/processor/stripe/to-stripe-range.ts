import type { TimeWindow } from '../processor.ts';

/** Stripe counts whole seconds: what it made within the window is what its range has. */
export function toStripeRange({ sinceMs, untilMs }: TimeWindow): { readonly gte: number; readonly lt: number } {
  return { gte: Math.ceil(sinceMs / 1_000), lt: Math.ceil(untilMs / 1_000) };
}
