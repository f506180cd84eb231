import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import type Stripe from 'stripe';
import type { ProcessorEvents } from '../processor.ts';
import { listStripe } from './list-stripe.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { toStripeRange } from './to-stripe-range.ts';

const path = '/v1/events';

/** As on the page docs.stripe.com/api/events/list. An hour less, since events leave while the list is read. */
const keptMs = 30 * dayMs - hourMs;
/** In which a webhook that Stripe sends at once is here, and one that was answered with an error is sent again. */
const underWayMs = 15 * minuteMs;

/** The events for which docs/stripe.md wants the webhook endpoint of the platform's own account. */
export const ownEventTypes = [
  'payment_intent.*',
  'refund.*',
  'charge.refund.updated',
  'charge.dispute.*',
  'transfer.*',
  'payout.*',
  'checkout.session.completed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'payment_method.attached',
  'payment_method.updated',
  'payment_method.automatically_updated',
  'payment_method.detached',
  'customer.deleted',
] as const;

/**
 * Events of the platform's own account. Those of connected accounts are listed for each account alone. The list takes one group
 * of types, or twenty single types, and these are more; so it is read whole.
 */
export function createStripeEvents({ stripe, clock, callStripe }: StripeDeps): ProcessorEvents {
  return {
    comparableTime: () => ({ sinceMs: clock.now() - keptMs, untilMs: clock.now() - underWayMs }),
    lists: ({ type, object }) => object.kind !== 'account' && object.kind !== 'other' && isWanted(type),
    async *list(window) {
      const created = toStripeRange(window);
      const list = (page: Stripe.PaginationParams) => stripe.events.list({ ...page, created });
      for await (const { id, type, created: seconds } of listStripe({ callStripe, endpoint: `GET ${path}`, list }))
        if (isWanted(type)) yield { eventId: id, type, createdAtMs: seconds * 1_000, isUnsent: false };
    },
  };
}

function isWanted(type: string): boolean {
  return ownEventTypes.some((wanted) =>
    wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted,
  );
}
