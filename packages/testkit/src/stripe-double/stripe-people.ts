import { createStripeId, type StripeState } from './stripe-state.ts';
import type { StripeWorld } from './stripe-world.ts';

type Answer = 'complete' | 'refuse';

/** Acts for the people who open Stripe's pages. */
export interface StripePeople {
  /** `refused`: Stripe has the details, and does not grant the capability or takes it away. */
  answerOnboarding(url: string, answer: Answer): void;
  /** `refused`: the card was declined and is not attached. */
  answerSetup(url: string, answer: Answer): void;
}

export function createStripePeople({ state, happened }: StripeWorld): StripePeople {
  return {
    answerOnboarding(url, answer) {
      const account = state.accounts.get(state.links.get(url) ?? '');
      if (!account) throw new Error(`there is no page at ${url}`);
      state.links.delete(url);
      const isGranted = answer === 'complete';
      const capabilities = { transfers: isGranted ? 'active' : 'inactive' } as const;
      const disabled_reason = isGranted ? null : 'rejected.other';
      const requirements = { currently_due: [], past_due: [], disabled_reason };
      const answered = { ...account, requirements, details_submitted: true, payouts_enabled: isGranted, capabilities };
      state.accounts.set(account.id, answered);
      happened('account.updated', { object: answered });
    },
    answerSetup(url, answer) {
      const session = state.sessions.get(url);
      if (session?.status !== 'open') throw new Error(`there is no page at ${url}`);
      if (answer === 'refuse')
        return happened('setup_intent.setup_failed', { object: failedIntentOf(session.customer) });
      const method = newCard(state, session.customer);
      const completed = { ...session, status: 'complete' } as const;
      state.paymentMethods.set(method.id, method);
      state.sessions.set(url, completed);
      happened('payment_method.attached', { object: method });
      happened('checkout.session.completed', { object: completed });
    },
  };
}

function newCard({ nowSeconds }: StripeState, customer: string) {
  const exp_year = new Date(nowSeconds() * 1_000).getUTCFullYear() + 3;
  return {
    id: createStripeId('pm'),
    object: 'payment_method',
    created: nowSeconds(),
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year },
    customer,
  } as const;
}

function failedIntentOf(customer: string) {
  return { id: createStripeId('seti'), object: 'setup_intent', status: 'requires_payment_method', customer };
}
