import { randomUUID } from 'node:crypto';
import type { PayoutAccounts } from '../processor.ts';
import { createListOwned } from './list-owned.ts';
import { createStripeCreateOnce } from './stripe-create-once.ts';
import type { StripeDeps } from './stripe-deps.ts';

/**
 * Payout accounts as Express accounts. Stripe collects the details of their owners and pays them out; we transfer to
 * them.
 */
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
    listOwned: createListOwned({
      callStripe,
      endpoint: 'GET /v1/accounts',
      list: (page) => stripe.accounts.list(page),
    }),
    async createLink({ processorAccountId: account, returnUrl }) {
      // A used link leads to refresh_url, which is the return address: the owner can get a new link there.
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
      // Both are needed: our transfers to the account, and Stripe's payouts from it. Otherwise the money would stay on
      // its way.
      const areTransfersActive = account.capabilities?.transfers === 'active';
      return {
        areDetailsSubmitted: account.details_submitted,
        arePayoutsEnabled: account.payouts_enabled && areTransfersActive,
      };
    },
  };
}
