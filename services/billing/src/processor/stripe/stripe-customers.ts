import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import type Stripe from 'stripe';
import type { Customers, PaymentMethod } from '../processor.ts';
import { createStripeCreateOnce, createListOwned } from './stripe-create-once.ts';
import type { StripeDeps } from './call-stripe.ts';

const pageSize = 100;
const roundsMax = 3;

/** Customers and their cards. Stripe keeps every entered card; the newest counts as the card on file. */
export function createStripeCustomers({ stripe, clock, callStripe }: StripeDeps): Customers {
  const createOnce = createStripeCreateOnce({
    path: '/v1/customers',
    callStripe,
    clock,
    create: ({ metadata }, options) => stripe.customers.create({ metadata }, options),
    list: (params) => stripe.customers.list(params),
  });

  return {
    create: async (keyed) => ({ processorCustomerId: await createOnce(keyed) }),
    listOwned: createListOwned({
      callStripe,
      endpoint: 'GET /v1/customers',
      list: (page) => stripe.customers.list(page),
    }),
    async createSetupLink({ processorCustomerId: customer, returnUrl, confirms = false }) {
      const session = await callStripe({
        endpoint: 'POST /v1/checkout/sessions',
        idempotencyKey: randomUUID(),
        send: (options) => stripe.checkout.sessions.create(toSetup({ customer, returnUrl, confirms }), options),
      });
      if (session.url === null) throw new Error('Stripe created a session without a page'); // only embedded sessions have none
      return { url: session.url, expiresAtMs: session.expires_at * 1_000 };
    },
    async readPaymentMethod(customer) {
      const [newest] = await listCards(customer, 1);
      return newest && fromStripeCard(newest);
    },
    /** Stripe's answer to a detach is not trusted; the list is read instead. */
    async removePaymentMethods(customer) {
      let failure: unknown;
      for (let round = 1; round <= roundsMax; round += 1) {
        const cards = await listCards(customer, pageSize);
        if (cards.length === 0) return;
        for (const { id } of cards) failure = await detach(id).catch((error: unknown) => error);
      }
      if ((await listCards(customer, 1)).length === 0) return;
      const message = 'The payment processor did not remove the payment method.';
      throw new AppError('processor_unavailable', message, { cause: failure });
    },
  };

  async function listCards(customer: string, limit: number): Promise<Stripe.PaymentMethod[]> {
    const list = await callStripe({
      endpoint: 'GET /v1/customers/{id}/payment_methods',
      send: () => stripe.customers.listPaymentMethods(customer, { type: 'card', limit }),
    });
    return list.data;
  }

  /** Each call has a new key: a detached card stays detached, whoever did it. */
  async function detach(paymentMethodId: string): Promise<void> {
    await callStripe({
      endpoint: 'POST /v1/payment_methods/{id}/detach',
      idempotencyKey: randomUUID(),
      send: (options) => stripe.paymentMethods.detach(paymentMethodId, {}, options),
    });
  }
}

interface Setup {
  readonly customer: string;
  readonly returnUrl: string;
  readonly confirms: boolean;
}

/** With 3-D Secure the bank knows that its cardholder agrees, and lets later charges pass without him. */
function toSetup({ customer, returnUrl, confirms }: Setup): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'setup',
    customer,
    payment_method_types: ['card'],
    ...(confirms && { payment_method_options: { card: { request_three_d_secure: 'any' } } }),
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
}

function fromStripeCard({ id, card }: Stripe.PaymentMethod): PaymentMethod {
  if (!card) throw new Error('Stripe listed a payment method that is not a card');
  return {
    paymentMethodId: id,
    brand: card.brand,
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
}
