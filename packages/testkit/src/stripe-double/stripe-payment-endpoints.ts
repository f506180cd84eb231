import { bookBalance } from './book-balance.ts';
import { listNewestFirst } from './list-newest-first.ts';
import { amountOf, expandField, listFields, metadataField, metadataOf, required, type Fields } from './read-fields.ts';
import { oneEndpoint } from './read-endpoints.ts';
import { decline, failureCodeOf, paySuccessfully } from './settle-payment.ts';
import type { StripeEndpoint } from './stripe-endpoint.ts';
import { badParameter, noSuch, notPossible, StripeRefusal } from './stripe-refusal.ts';
import { createStripeId, type DoubleCharge, type DoublePaymentIntent, type DoubleRefund } from './stripe-state.ts';
import type { StripeWorld } from './stripe-world.ts';

const chargeFields = [
  /^(amount|currency|customer|payment_method|off_session|confirm|capture_method)$/,
  /^payment_method_types\[0\]$/,
  metadataField,
  expandField,
];

/** Payments of customers and their refunds. */
export const paymentEndpoints: readonly StripeEndpoint[] = [
  { method: 'POST', path: /^\/v1\/payment_intents$/, fields: chargeFields, answer: createPaymentIntent },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    fields: [...listFields, /^customer$/, expandField],
    answer({ state }, fields) {
      const { customer } = fields;
      if (customer !== undefined && !state.customers.has(customer)) throw noSuch('customer', customer, 'customer');
      return listNewestFirst(state.paymentIntents.values(), fields, ['customer']);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/([^/]+)$/,
    fields: [expandField],
    answer: (world, _fields, id) => paymentIntentOf(world, id, 'intent'),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/([^/]+)\/cancel$/,
    fields: [expandField],
    answer: cancelPaymentIntent,
  },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    fields: [/^(payment_intent|amount)$/, metadataField, expandField],
    answer: createRefund,
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds$/,
    fields: [...listFields, /^payment_intent$/, expandField],
    answer(world, fields) {
      if (fields['payment_intent'] !== undefined) paymentIntentOf(world, fields['payment_intent'], 'payment_intent');
      return listNewestFirst(world.state.refunds.values(), fields, ['payment_intent']);
    },
  },
  oneEndpoint('refunds', { param: 'id' }),
];

function createPaymentIntent(world: StripeWorld, fields: Fields): DoublePaymentIntent {
  const { state, happened } = world;
  const amount = amountOf(fields);
  for (const flag of ['off_session', 'confirm'] as const)
    if (required(fields, flag) !== 'true') throw badParameter('parameter_invalid', flag);
  if (required(fields, 'payment_method_types[0]') !== 'card')
    throw badParameter('parameter_invalid', 'payment_method_types');
  const customer = required(fields, 'customer');
  const payment_method = required(fields, 'payment_method');
  if (!state.customers.has(customer)) throw noSuch('customer', customer, 'customer');
  if (state.paymentMethods.get(payment_method)?.customer !== customer)
    throw noSuch('PaymentMethod', payment_method, 'payment_method');
  if (amount < 50) throw badParameter('amount_too_small', 'amount');
  if (amount > 99_999_999) throw badParameter('amount_too_large', 'amount');
  const intent = {
    id: createStripeId('pi'),
    object: 'payment_intent',
    created: state.nowSeconds(),
    amount,
    currency: 'usd',
    customer,
    metadata: metadataOf(fields),
    payment_method,
    latest_charge: null,
    last_payment_error: null,
    cancellation_reason: null,
    status: 'processing',
  } as const;
  state.paymentIntents.set(intent.id, intent);
  happened('payment_intent.created', { object: intent });
  return askBank(world, intent, payment_method);
}

function askBank(world: StripeWorld, intent: DoublePaymentIntent, paymentMethodId: string): DoublePaymentIntent {
  const answer = world.state.cardAnswers.get(paymentMethodId);
  if (answer === undefined) return paySuccessfully(world, intent);
  if (answer === 'processing') {
    world.happened('payment_intent.processing', { object: intent });
    return intent;
  }
  const code = failureCodeOf(answer.declineCode);
  const payment_intent = decline(world, intent, answer.declineCode);
  const message = 'Your card was declined.';
  const facts = { status: 402, type: 'card_error', code, decline_code: answer.declineCode, message } as const;
  throw new StripeRefusal({ ...facts, payment_intent }, { isKept: true });
}

function cancelPaymentIntent(world: StripeWorld, _fields: Fields, id: string): DoublePaymentIntent {
  const intent = paymentIntentOf(world, id, 'intent');
  if (intent.status !== 'requires_payment_method') {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
    throw notPossible('payment_intent_unexpected_state', message);
  }
  const canceled = { ...intent, status: 'canceled' } as const;
  world.state.paymentIntents.set(id, canceled);
  world.happened('payment_intent.canceled', { object: canceled });
  return canceled;
}

/** Refunds a payment, in whole or in part. */
export function createRefund(world: StripeWorld, fields: Fields): DoubleRefund {
  const { state, happened } = world;
  const amount = amountOf(fields);
  const intent = paymentIntentOf(world, required(fields, 'payment_intent'), 'payment_intent');
  const charge = state.charges.get(intent.latest_charge ?? '');
  if (intent.status !== 'succeeded' || !charge) throw notPossible('charge_not_refundable', 'It has not been paid.');
  assertRefundable(charge, amount);
  const id = createStripeId('re');
  const refund = {
    id,
    object: 'refund',
    created: state.nowSeconds(),
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: intent.id,
    metadata: metadataOf(fields),
    balance_transaction: bookBalance(state, {
      type: 'refund',
      amount: -amount,
      fee: state.platform.refundFeeCents,
      source: id,
    }),
    status: 'succeeded',
  } as const;
  state.refunds.set(id, refund);
  const amount_refunded = charge.amount_refunded + amount;
  const refunded = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount };
  state.charges.set(charge.id, refunded);
  happened('charge.refunded', { object: refunded });
  happened('refund.created', { object: refund });
  return refund;
}

function assertRefundable(charge: DoubleCharge, amount: number): void {
  if (charge.disputed) throw notPossible('charge_disputed', 'The charge was disputed.');
  if (charge.refunded) throw notPossible('charge_already_refunded', 'The charge has already been refunded.');
  if (amount > charge.amount - charge.amount_refunded)
    throw notPossible('charge_invalid_parameter', 'Refund amount is greater than unrefunded amount on charge.');
}

function paymentIntentOf({ state }: StripeWorld, id: string, param: string): DoublePaymentIntent {
  const intent = state.paymentIntents.get(id);
  if (!intent) throw noSuch('payment_intent', id, param);
  return intent;
}
