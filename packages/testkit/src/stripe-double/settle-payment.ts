import { bookBalance } from './book-balance.ts';
import { createStripeId, type DoubleCharge, type DoublePaymentIntent } from './stripe-state.ts';
import type { StripeWorld } from './stripe-world.ts';

/** Stripe's fee for cards: 2.9 % + 30 cents, halves rounded up. */
function feeOf(amount: number): number {
  return Math.floor((amount * 29 + 500) / 1_000) + 30;
}

/** Settles a payment that the bank pays: the balance gets the charge less the fee. */
export function paySuccessfully(world: StripeWorld, intent: DoublePaymentIntent): DoublePaymentIntent {
  const { state, happened } = world;
  const open = newCharge(world, intent);
  const fee = feeOf(intent.amount);
  const balance_transaction = bookBalance(state, { type: 'charge', amount: intent.amount, fee, source: open.id });
  const charge = { ...open, status: 'succeeded', balance_transaction } as const;
  state.charges.set(charge.id, charge);
  const paid = { ...intent, status: 'succeeded', latest_charge: charge.id, last_payment_error: null } as const;
  state.paymentIntents.set(paid.id, paid);
  happened('charge.succeeded', { object: charge });
  happened('payment_intent.succeeded', { object: paid });
  return paid;
}

/** Fails a payment that the bank refuses. As at Stripe, another payment method could confirm it again. */
export function decline(
  world: StripeWorld,
  intent: DoublePaymentIntent,
  declineCode = 'generic_decline',
): DoublePaymentIntent {
  const { state, happened } = world;
  const failureCode = failureCodeOf(declineCode);
  const outcome = { type: 'issuer_declined', reason: declineCode } as const;
  const charge = { ...newCharge(world, intent), status: 'failed', failure_code: failureCode, outcome } as const;
  state.charges.set(charge.id, charge);
  const declined = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: { code: failureCode, type: 'card_error', decline_code: declineCode },
  } as const;
  state.paymentIntents.set(declined.id, declined);
  happened('charge.failed', { object: charge });
  happened('payment_intent.payment_failed', { object: declined });
  return declined;
}

/** As on docs.stripe.com/error-codes: a few reasons are codes of their own. */
export function failureCodeOf(declineCode: string): string {
  return ['expired_card', 'authentication_required'].includes(declineCode) ? declineCode : 'card_declined';
}

function newCharge({ state }: StripeWorld, intent: DoublePaymentIntent): DoubleCharge {
  const { amount, customer, id: payment_intent } = intent;
  return {
    id: createStripeId('ch'),
    object: 'charge',
    created: state.nowSeconds(),
    amount,
    amount_refunded: 0,
    currency: 'usd',
    customer,
    payment_intent,
    balance_transaction: null,
    status: 'pending',
    failure_code: null,
    outcome: null,
    refunded: false,
    disputed: false,
  };
}
