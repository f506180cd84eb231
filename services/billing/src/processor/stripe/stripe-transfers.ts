import type Stripe from 'stripe';
import type { FailureCode, Movements, TransferOrder } from '../processor.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { idOfReference } from './id-of-reference.ts';
import { createStripeMovements, type MovementResult } from './stripe-movements.ts';

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
