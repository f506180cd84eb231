import type Stripe from 'stripe';
import type { Movement, Movements, RefundOrder } from '../processor.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { idOfReference } from './id-of-reference.ts';
import { toUsdCents } from './to-usd-cents.ts';
import { createStripeMovements } from './stripe-movements.ts';

/** The metadata key of our refund. */
const refundKey = 'tollgate_refund';
const inList = ['data.balance_transaction'];

/** Refunds a payment to its card. The bank may return the money days after the refund succeeded. */
export function createStripeRefunds(deps: StripeDeps): Movements<RefundOrder> {
  const { refunds } = deps.stripe;
  return createStripeMovements<RefundOrder, Stripe.Refund>(deps, {
    path: '/v1/refunds',
    create: ({ chargeObjectId, amountCents, refundId }, metadata, options) =>
      refunds.create(
        {
          payment_intent: chargeObjectId,
          amount: Number(amountCents),
          metadata: { ...metadata, [refundKey]: refundId },
          expand: ['balance_transaction'],
        },
        options,
      ),
    listBeside: ({ chargeObjectId }, page) => refunds.list({ ...page, payment_intent: chargeObjectId, expand: inList }),
    isForSame: ({ refundId }, { metadata }) => metadata?.[refundKey] === refundId,
    list: (page) => refunds.list({ ...page, expand: inList }),
    retrieve: (id) => refunds.retrieve(id, { expand: ['balance_transaction'] }),
    partyOf: ({ payment_intent: payment, charge }) => idOfReference(payment ?? charge), // all our charges are payment intents
    resultOf: (refund) => ({ status: statusOf(refund), failureCode: refund.failure_reason, feeCents: feeOf(refund) }),
    failureCodeOf: (code) => code,
  });
}

/** Stripe's fee in US cents, where its prices have one on refunds. */
function feeOf({ amount, balance_transaction: booked }: Stripe.Refund): bigint {
  return booked === null || typeof booked !== 'object' ? 0n : toUsdCents(booked.fee, booked, amount);
}

function statusOf({ status, failure_balance_transaction: returned }: Stripe.Refund): Movement['status'] {
  if (status === 'succeeded') return 'succeeded';
  if (status !== 'failed' && status !== 'canceled') return 'pending';
  return returned == null ? 'failed' : 'reversed'; // reversed: its money had left, and came back
}
