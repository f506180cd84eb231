import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import type Stripe from 'stripe';
import type { BankFailure, KeyedAccount, PayoutAccounts, PayoutAccountStatus } from '../processor.ts';
import { RefusedByStripe } from './refused-by-stripe.ts';
import { createStripeCreateOnce, type CreatedWith, createListOwned } from './stripe-create-once.ts';
import type { StripeDeps } from './call-stripe.ts';

/**
 * Payout accounts as Express accounts. Stripe collects the details of their owners and pays them out; we transfer to
 * them (ADR 102).
 */
export function createStripePayoutAccounts(deps: StripeDeps): PayoutAccounts {
  const { stripe, clock, callStripe } = deps;
  const countryOfPlatform = createReadCountry(deps);
  const createOnce = createStripeCreateOnce({
    path: '/v1/accounts',
    callStripe,
    clock,
    create: (params, options) =>
      stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } }, ...params }, options),
    list: (params) => stripe.accounts.list(params),
  });

  return {
    async create(keyed) {
      try {
        return { processorAccountId: await createOnce(keyed, await howToCreate(keyed)) };
      } catch (error) {
        throw isOfCountry(error) ? countryRefused(keyed.country) : error;
      }
    },
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
    async createLoginLink({ processorAccountId }) {
      const link = await callStripe({
        endpoint: 'POST /v1/accounts/{id}/login_links',
        idempotencyKey: randomUUID(),
        send: (options) => stripe.accounts.createLoginLink(processorAccountId, {}, options),
      });
      return link.url;
    },
    async read(processorAccountId) {
      const account = await callStripe({
        endpoint: 'GET /v1/accounts/{id}',
        send: () => stripe.accounts.retrieve(processorAccountId),
      });
      return { ...statusOf(account), bankFailure: await readBankFailure(deps, account) };
    },
  };

  /** Stripe pays an owner of another country only under the recipient agreement, and takes it for no other. */
  async function howToCreate({ country }: KeyedAccount): Promise<CreatedWith | undefined> {
    if (country === undefined) return undefined;
    const isAbroad = country !== (await countryOfPlatform());
    return {
      params: { country, ...(isAbroad && { tos_acceptance: { service_agreement: 'recipient' } }) },
      isSame: (account) => account.country === country,
    };
  }
}

/** Reads the platform's country once: Stripe lets nobody change it. */
function createReadCountry({ stripe, callStripe }: StripeDeps) {
  let known: string | undefined;
  return async function readCountry(): Promise<string | undefined> {
    known ??= (await callStripe({ endpoint: 'GET /v1/account', send: () => stripe.accounts.retrieveCurrent() }))
      .country;
    return known;
  };
}

function statusOf(account: Stripe.Account): PayoutAccountStatus {
  const { capabilities, details_submitted: areDetailsSubmitted, payouts_enabled: arePaid, requirements } = account;
  const wanted = [...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])];
  return {
    areDetailsSubmitted,
    // Both are needed: our transfers to the account, and Stripe's payouts from it. Otherwise the money would stay on
    // its way.
    arePayoutsEnabled: arePaid && capabilities?.transfers === 'active',
    requirements: [...new Set(wanted)],
    disabledReason: requirements?.disabled_reason ?? undefined,
  };
}

/** The last decided payout to the owner's bank, if it failed. An account without details has had none. */
async function readBankFailure(deps: StripeDeps, account: Stripe.Account): Promise<BankFailure | undefined> {
  if (!account.details_submitted) return undefined;
  const { data } = await deps.callStripe({
    endpoint: 'GET /v1/payouts',
    send: () => deps.stripe.payouts.list({ limit: 10 }, { stripeAccount: account.id }),
  });
  const decided = data.find(({ status }) => status === 'failed' || status === 'paid');
  if (decided?.status !== 'failed') return undefined;
  return { code: decided.failure_code ?? 'could_not_process', atMs: decided.created * 1_000 };
}

function isOfCountry(error: unknown): boolean {
  if (!(error instanceof RefusedByStripe)) return false;
  return error.facts.code === 'country_unsupported' || error.facts.param === 'country';
}

function countryRefused(country: string | undefined): AppError {
  const message = 'must be a country in which the payment processor pays people';
  const errors = [{ pointer: '/country', code: 'country_unsupported', message }];
  return new AppError('invalid_request', `The payment processor does not pay people in ${country}.`, { errors });
}
