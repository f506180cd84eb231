import { createStripeId, type DoubleBalanceTransaction, type StripeState } from './stripe-state.ts';

type Booking = Pick<DoubleBalanceTransaction, 'type' | 'amount' | 'source'> & { readonly fee?: number };

/**
 * Books money to the platform's balance, or from it (below zero), and its fee, in the currency in which the platform settles.
 * As on the page docs.stripe.com/currencies/conversions: amounts and fee are of that currency, beside the rate. Returns the
 * balance transaction's id.
 */
export function bookBalance(state: StripeState, { type, source, ...usd }: Booking): string {
  const { currency, rate } = state.platform.settlement;
  const [amount, fee] = [usd.amount, usd.fee ?? 0].map((cents) => Math.round(cents * rate)) as [number, number]; // two in, two out
  const net = amount - fee;
  const exchange_rate = currency === 'usd' ? null : rate;
  const created = state.nowSeconds();
  const id = createStripeId('txn');
  const object = 'balance_transaction';
  state.balanceTransactions.set(id, { id, object, created, type, amount, fee, net, currency, exchange_rate, source });
  state.balanceCents += net;
  return id;
}
