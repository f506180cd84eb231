import type Stripe from 'stripe';
import type { ProcessorBalance } from '../processor.ts';
import { otherCurrencies } from './find-stripe-setup-problems.ts';
import { listStripe } from './list-stripe.ts';
import type { StripeDeps } from './stripe-deps.ts';

/**
 * Transactions that billing does not book: money that the platform pays in itself, reserves, and fees that concern no movement
 * and no dispute. Any other type that billing does not know makes cash and balance differ, so a person looks at it.
 */
const ownTypes = [
  'topup',
  'topup_reversal',
  'stripe_fee',
  'stripe_fx_fee',
  'tax_fee',
  'contribution',
  'fee_credit_funding',
  'payout_minimum_balance_hold',
  'payout_minimum_balance_release',
  'payment_network_reserve_hold',
  'payment_network_reserve_release',
  'reserve_hold',
  'reserve_release',
  'reserve_transaction',
  'reserved_funds',
] as const;

/** Reads the balance of the platform, first what is its own. The account at Stripe must serve this platform alone. */
export function createReadStripeBalance({ stripe, callStripe }: StripeDeps) {
  return async function readStripeBalance(): Promise<ProcessorBalance> {
    let ownCents = 0n;
    for (const type of ownTypes) ownCents += await sumOf(type);
    const balance = await callStripe({ endpoint: 'GET /v1/balance', send: () => stripe.balance.retrieve() });
    const funds = [...balance.available, ...balance.pending];
    return { heldCents: sumUsd(funds), ownCents, otherCurrencies: otherCurrencies(funds) };
  };

  async function sumOf(type: (typeof ownTypes)[number]): Promise<bigint> {
    let cents = 0n;
    const list = (page: Stripe.PaginationParams) => stripe.balanceTransactions.list({ ...page, type, currency: 'usd' });
    for await (const { net } of listStripe({ callStripe, endpoint: 'GET /v1/balance_transactions', list }))
      cents += BigInt(net);
    return cents;
  }
}

function sumUsd(funds: readonly { readonly amount: number; readonly currency: string }[]): bigint {
  return funds.reduce((sum, { amount, currency }) => (currency === 'usd' ? sum + BigInt(amount) : sum), 0n);
}
