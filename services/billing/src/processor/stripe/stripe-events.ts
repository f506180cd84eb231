import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import type Stripe from 'stripe';
import type { ProcessorEvents, Disputes, ProcessorDispute } from '../processor.ts';
import { listStripe, toStripeRange } from './list-stripe.ts';
import type { StripeDeps } from './call-stripe.ts';
import { toUsdCents } from './to-usd-cents.ts';

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

const disputesPath = '/v1/disputes';

export function createStripeDisputes({ stripe, callStripe }: StripeDeps): Disputes {
  return {
    async read(id) {
      const send = () => stripe.disputes.retrieve(id);
      return fromStripeDispute(await callStripe({ endpoint: `GET ${disputesPath}/{id}`, send }));
    },
    async *list(window) {
      const created = toStripeRange(window);
      const list = (page: Stripe.PaginationParams) => stripe.disputes.list({ ...page, created });
      for await (const dispute of listStripe({ callStripe, endpoint: `GET ${disputesPath}`, list }))
        yield fromStripeDispute(dispute);
    },
  };
}

function fromStripeDispute(dispute: Stripe.Dispute): ProcessorDispute {
  const { id, payment_intent, charge, amount, status, created, balance_transactions: booked } = dispute;
  return {
    objectId: id,
    chargeObjectId: idOf(payment_intent ?? charge), // all our charges are payment intents
    amountCents: BigInt(amount),
    status: statusOf(status),
    // Each of them withdraws or gives back the disputed amount, in the currency in which Stripe settles.
    takenCents: booked.reduce((sum, each) => sum - toUsdCents(each.amount, each, amount), 0n),
    feeCents: booked.reduce((sum, each) => sum + toUsdCents(each.fee, each, amount), 0n),
    createdAtMs: created * 1_000,
  };
}

/** An inquiry or a prevented dispute takes no money, so its end counts as won. */
function statusOf(status: Stripe.Dispute['status']): ProcessorDispute['status'] {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}

function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
