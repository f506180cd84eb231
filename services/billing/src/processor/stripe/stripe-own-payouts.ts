import type Stripe from 'stripe';
import type { OwnPayout, OwnPayouts } from '../processor.ts';
import { listStripe } from './list-stripe.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { toStripeRange } from './to-stripe-range.ts';

const path = '/v1/payouts';
const booked = ['balance_transaction', 'failure_balance_transaction'];

/** Payouts of the platform itself. Those of builders are of their own accounts, and listed for each account alone. */
export function createStripeOwnPayouts({ stripe, callStripe }: StripeDeps): OwnPayouts {
  return {
    async read(id) {
      const send = () => stripe.payouts.retrieve(id, { expand: booked });
      return fromStripePayout(await callStripe({ endpoint: `GET ${path}/{id}`, send }));
    },
    async *list(window) {
      const created = toStripeRange(window);
      const expand = booked.map((field) => `data.${field}`);
      const list = (page: Stripe.PaginationParams) => stripe.payouts.list({ ...page, created, expand });
      for await (const payout of listStripe({ callStripe, endpoint: `GET ${path}`, list }))
        yield fromStripePayout(payout);
    },
  };
}

/** A payout that failed or was canceled has a second transaction, which brings its money back. */
function fromStripePayout(payout: Stripe.Payout): OwnPayout {
  const moved = [payout.balance_transaction, payout.failure_balance_transaction].map(toMoved);
  return {
    objectId: payout.id,
    amountCents: BigInt(payout.amount),
    currency: payout.currency,
    takenCents: moved.reduce((sum, { amount }) => sum - BigInt(amount), 0n),
    feeCents: moved.reduce((sum, { fee }) => sum + BigInt(fee), 0n),
    createdAtMs: payout.created * 1_000,
  };
}

function toMoved(transaction: string | Stripe.BalanceTransaction | null): { amount: number; fee: number } {
  return transaction === null || typeof transaction === 'string' ? { amount: 0, fee: 0 } : transaction;
}
