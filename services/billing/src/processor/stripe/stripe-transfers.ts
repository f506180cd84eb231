import type Stripe from 'stripe';
import type { FailureCode, Movements, TransferOrder, Movement, RefundOrder } from '../processor.ts';
import type { StripeDeps } from './call-stripe.ts';
import { idOfReference, createStripeMovements, type MovementResult } from './stripe-movements.ts';
import { toUsdCents } from './to-usd-cents.ts';

/**
 * Transfers money to a builder's account, from which Stripe pays it out. All attempts of a payout share a transfer
 * group.
 */
export function createStripeTransfers(deps: StripeDeps): Movements<TransferOrder> {
  const { transfers } = deps.stripe;
  return createStripeMovements<TransferOrder, Stripe.Transfer>(deps, {
    path: '/v1/transfers',
    create: (order, metadata, options) =>
      transfers.create(
        {
          amount: Number(order.amountCents),
          currency: 'usd',
          destination: order.processorAccountId,
          transfer_group: order.payoutId,
          metadata,
        },
        options,
      ),
    listBeside: ({ payoutId }, page) => transfers.list({ ...page, transfer_group: payoutId }),
    isForSame: ({ payoutId }, { transfer_group: group }) => group === payoutId,
    list: (page) => transfers.list(page),
    retrieve: (id) => transfers.retrieve(id),
    partyOf: ({ destination }) => idOfReference(destination),
    resultOf,
    failureCodeOf,
  });
}

/** A transfer that was reversed in part stays succeeded. */
function resultOf({ reversed, amount_reversed }: Stripe.Transfer): MovementResult {
  const returned = { feeCents: 0n, returnedCents: BigInt(amount_reversed) };
  if (reversed) return { ...returned, status: 'reversed', failureCode: 'reversed' };
  return { ...returned, status: 'succeeded', failureCode: undefined };
}

const meanings: Readonly<Record<string, FailureCode>> = {
  balance_insufficient: 'insufficient_funds_of_platform',
  insufficient_funds: 'insufficient_funds_of_platform',
  account_closed: 'account_unavailable',
  account_invalid: 'account_unavailable',
  capability_not_active: 'account_unavailable',
  insufficient_capabilities_for_transfer: 'account_unavailable',
  no_account: 'account_unavailable',
  resource_missing: 'account_unavailable',
  transfers_not_allowed: 'account_unavailable',
};

function failureCodeOf(stripeCode: string): string {
  return meanings[stripeCode] ?? stripeCode;
}

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
