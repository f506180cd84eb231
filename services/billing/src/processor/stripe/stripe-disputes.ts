import type Stripe from 'stripe';
import type { Disputes, ProcessorDispute } from '../processor.ts';
import { listStripe } from './list-stripe.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { toUsdCents } from './to-usd-cents.ts';
import { toStripeRange } from './to-stripe-range.ts';

const path = '/v1/disputes';

export function createStripeDisputes({ stripe, callStripe }: StripeDeps): Disputes {
  return {
    async read(id) {
      const send = () => stripe.disputes.retrieve(id);
      return fromStripeDispute(await callStripe({ endpoint: `GET ${path}/{id}`, send }));
    },
    async *list(window) {
      const created = toStripeRange(window);
      const list = (page: Stripe.PaginationParams) => stripe.disputes.list({ ...page, created });
      for await (const dispute of listStripe({ callStripe, endpoint: `GET ${path}`, list }))
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
