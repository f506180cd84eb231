import { createStripeId, type DoubleBalanceTransaction, type StripeState } from './stripe-state.ts';

type Booking = Pick<DoubleBalanceTransaction, 'type' | 'amount' | 'source'> & { readonly fee?: number };

/** Books money to the platform's balance, or from it (below zero), and its fee. Returns the balance transaction's id. */
export function bookBalance(state: StripeState, { type, amount, source, fee = 0 }: Booking): string {
  const net = amount - fee;
  const created = state.nowSeconds();
  const id = createStripeId('txn');
  const object = 'balance_transaction';
  state.balanceTransactions.set(id, { id, object, created, type, amount, fee, net, currency: 'usd', source });
  state.balanceCents += net;
  return id;
}
