import { randomUUID } from 'node:crypto';
import type { PayoutAccounts } from '../processor.ts';
import { createStripeCreateOnce } from './stripe-create-once.ts';
import type { StripeDeps } from './stripe-deps.ts';

/** Express accounts: Stripe asks their owners what it must know, and pays them out; we transfer to them. */
export function createStripePayoutAccounts({ stripe, clock, callStripe }: StripeDeps): PayoutAccounts {
  const createOnce = createStripeCreateOnce({
    path: '/v1/accounts',
    callStripe,
    clock,
    create: (params, options) =>
      stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } }, ...params }, options),
    list: (params) => stripe.accounts.list(params),
  });

  return {
    create: async (keyed) => ({ processorAccountId: await createOnce(keyed) }),
    async createLink({ processorAccountId: account, returnUrl }) {
      // Stripe sends to refresh_url whoever comes with a used link: back where a new one can be had.
      const params = { account, type: 'account_onboarding', return_url: returnUrl, refresh_url: returnUrl } as const;
      const link = await callStripe({
        endpoint: 'POST /v1/account_links',
        idempotencyKey: randomUUID(),
        send: (options) => stripe.accountLinks.create(params, options),
      });
      return { url: link.url, expiresAtMs: link.expires_at * 1_000 };
    },
    async read(processorAccountId) {
      const account = await callStripe({
        endpoint: 'GET /v1/accounts/{id}',
        send: () => stripe.accounts.retrieve(processorAccountId),
      });
      // We must be able to transfer to it, and Stripe to pay it out: one without the other leaves the money on its way.
      const areTransfersActive = account.capabilities?.transfers === 'active';
      return {
        areDetailsSubmitted: account.details_submitted,
        arePayoutsEnabled: account.payouts_enabled && areTransfersActive,
      };
    },
  };
}
