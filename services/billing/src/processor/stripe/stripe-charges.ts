import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { ChargeOrder, Movements } from '../processor.ts';
import { RefusedByStripe } from './refused-by-stripe.ts';
import type { StripeDeps } from './call-stripe.ts';
import { idOfReference, createStripeMovements, type MovementResult } from './stripe-movements.ts';
import { toUsdCents } from './to-usd-cents.ts';

const path = '/v1/payment_intents';
/** The metadata keys of the payment's invoice or top-up. */
const invoiceKey = 'tollgate_invoice';
const topUpKey = 'tollgate_top_up';
const whole = 'latest_charge.balance_transaction';

/**
 * Charges the card on file without its owner present. Stripe keeps a payment open that the bank refused, so that
 * another card can be tried. It is canceled before it counts as failed, so that nobody can pay it beside the next
 * attempt.
 */
export function createStripeCharges(deps: StripeDeps): Movements<ChargeOrder> {
  const { stripe, callStripe } = deps;

  return createStripeMovements<ChargeOrder, Stripe.PaymentIntent>(deps, {
    path,
    create: (order, metadata, options) => stripe.paymentIntents.create(toPayment(order, metadata), options),
    listBeside: ({ processorCustomerId: customer }, page) =>
      stripe.paymentIntents.list({ ...page, customer, expand: [`data.${whole}`] }),
    isForSame: (order, { metadata }) => Object.entries(subjectOf(order)).every(([key, id]) => metadata?.[key] === id),
    list: (page) => stripe.paymentIntents.list({ ...page, expand: [`data.${whole}`] }),
    retrieve,
    finish: async (payment) => (isOpen(payment) ? cancel(payment.id) : payment),
    partyOf: ({ customer }) => idOfReference(customer),
    resultOf,
    failureCodeOf,
  });

  function retrieve(id: string): Promise<Stripe.PaymentIntent> {
    return stripe.paymentIntents.retrieve(id, { expand: [whole] });
  }

  /** Cancels a payment. Each call has a new key: a payment is canceled only once, and a later call reads its state. */
  async function cancel(id: string): Promise<Stripe.PaymentIntent> {
    try {
      return await callStripe({
        endpoint: `POST ${path}/{id}/cancel`,
        idempotencyKey: randomUUID(),
        send: (options) => stripe.paymentIntents.cancel(id, { expand: [whole] }, options),
      });
    } catch (error) {
      if (!(error instanceof RefusedByStripe)) throw error;
      return callStripe({ endpoint: `GET ${path}/{id}`, send: () => retrieve(id) });
    }
  }
}

/** Returns the subject of the payment, as metadata. */
function subjectOf({ invoiceId, topUpId }: ChargeOrder): Record<string, string> {
  return topUpId === undefined ? { [invoiceKey]: invoiceId } : { [topUpKey]: topUpId };
}

function toPayment(order: ChargeOrder, metadata: Record<string, string>): Stripe.PaymentIntentCreateParams {
  return {
    amount: Number(order.amountCents),
    currency: 'usd',
    customer: order.processorCustomerId,
    payment_method: order.paymentMethodId,
    payment_method_types: ['card'],
    off_session: true,
    confirm: true,
    capture_method: 'automatic', // otherwise Stripe answers before it knows its own fee
    metadata: { ...metadata, ...subjectOf(order) },
    expand: [whole],
  };
}

/** The payment could still succeed. */
function isOpen({ status }: Stripe.PaymentIntent): boolean {
  return status.startsWith('requires_');
}

function resultOf(payment: Stripe.PaymentIntent): MovementResult {
  const nothing = { failureCode: undefined, feeCents: 0n };
  if (payment.status === 'canceled') return { ...nothing, status: 'failed', failureCode: whyFailed(payment) };
  const feeCents = feeOf(payment);
  if (payment.status !== 'succeeded' || feeCents === undefined) return { ...nothing, status: 'pending' };
  return { ...nothing, status: 'succeeded', feeCents };
}

/** `card_declined` says nothing; then the bank's reason counts. */
function whyFailed({ latest_charge: latest, last_payment_error: error }: Stripe.PaymentIntent): string {
  const charge = typeof latest === 'object' ? latest : undefined;
  const code = charge?.failure_code ?? error?.code ?? 'canceled';
  return failureCodeOf(code === 'card_declined' ? reasonOf({ charge, error }) : code);
}

interface Declined {
  readonly charge: Stripe.Charge | null | undefined;
  readonly error: Stripe.PaymentIntent['last_payment_error'];
}

function reasonOf({ charge, error }: Declined): string {
  return charge?.outcome?.reason ?? error?.decline_code ?? 'card_declined';
}

/** Stripe's fee in US cents, also if Stripe settled the charge in another currency; undefined until it is booked. */
function feeOf({ amount, latest_charge: charge }: Stripe.PaymentIntent): bigint | undefined {
  const booked = typeof charge === 'object' ? charge?.balance_transaction : undefined;
  if (booked == null || typeof booked === 'string') return undefined;
  return toUsdCents(booked.fee, booked, amount);
}

function failureCodeOf(stripeCode: string): string {
  return stripeCode === 'card_declined' || stripeCode === 'generic_decline' ? 'declined' : stripeCode;
}
