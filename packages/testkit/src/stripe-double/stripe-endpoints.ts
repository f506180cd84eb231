import { listNewestFirst } from './list-newest-first.ts';
import { listEndpoint, oneEndpoint } from './read-endpoints.ts';
import { expandField, listFields, metadataField, metadataOf, required, type Fields } from './read-fields.ts';
import type { StripeEndpoint } from './stripe-endpoint.ts';
import { balanceEndpoints } from './stripe-balance-endpoints.ts';
import { paymentEndpoints } from './stripe-payment-endpoints.ts';
import { badParameter, noSuch, StripeRefusal } from './stripe-refusal.ts';
import { createStripeId, type DoubleCustomer } from './stripe-state.ts';
import { transferEndpoints } from './stripe-transfer-endpoints.ts';
import type { StripeWorld } from './stripe-world.ts';

/** The part of Stripe that Tollgate uses, with its state. */
export const stripeEndpoints: readonly StripeEndpoint[] = [
  {
    method: 'POST',
    path: /^\/v1\/accounts$/,
    fields: [
      /^(type|country)$/,
      /^tos_acceptance\[service_agreement\]$/,
      /^capabilities\[transfers\]\[requested\]$/,
      metadataField,
    ],
    answer: createAccount,
  },
  listEndpoint('accounts'),
  {
    method: 'GET',
    path: /^\/v1\/account$/,
    fields: [],
    answer: ({ state }) => ({ id: 'acct_platform', object: 'account', country: state.platform.country }),
  },
  { method: 'POST', path: /^\/v1\/accounts\/([^/]+)\/login_links$/, fields: [], answer: createLoginLink },
  {
    method: 'GET',
    path: /^\/v1\/payouts$/,
    fields: [...listFields, expandField, /^stripe-account$/],
    answer: ({ state }, { 'stripe-account': account, ...fields }) =>
      listNewestFirst(
        [...state.payouts.values()].filter((payout) => payout.account === account),
        fields,
      ),
  },
  oneEndpoint('payouts', { param: 'payout' }),
  {
    method: 'GET',
    path: /^\/v1\/accounts\/([^/]+)$/,
    fields: [],
    answer({ state }, _fields, id) {
      const account = state.accounts.get(id);
      if (account) return account;
      const message = `The provided key 'sk_test_*********' does not have access to account '${id}' (or that account does not exist).`;
      throw new StripeRefusal({ status: 403, type: 'invalid_request_error', code: 'account_invalid', message });
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/account_links$/,
    fields: [/^account$/, /^type$/, /^return_url$/, /^refresh_url$/],
    answer: createAccountLink,
  },
  { method: 'POST', path: /^\/v1\/customers$/, fields: [metadataField], answer: createCustomer },
  listEndpoint('customers'),
  {
    method: 'GET',
    path: /^\/v1\/customers\/([^/]+)\/payment_methods$/,
    fields: [...listFields, /^type$/],
    answer({ state }, fields, id) {
      if (!state.customers.has(id)) throw noSuch('customer', id, 'customer');
      return listNewestFirst(
        [...state.paymentMethods.values()].filter(({ customer }) => customer === id),
        fields,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    fields: [
      /^(mode|customer|success_url|cancel_url)$/,
      /^payment_method_types\[0\]$/,
      /^payment_method_options\[card\]\[request_three_d_secure\]$/,
    ],
    answer: createSession,
  },
  { method: 'POST', path: /^\/v1\/payment_methods\/([^/]+)\/detach$/, fields: [], answer: detach },
  ...paymentEndpoints,
  ...transferEndpoints,
  ...balanceEndpoints,
  { method: 'GET', path: /^\/v1\/events$/, fields: [...listFields, /^stripe-account$/], answer: listEvents },
];

/** As on the page docs.stripe.com/connect/account-capabilities, in the words of github.com/Layr-Labs/d-inference/issues/782. */
const unapproved = {
  status: 400,
  type: 'invalid_request_error',
  message:
    'Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability. If you would like to request transfers without card_payments, please contact us via https://support.stripe.com/contact.',
} as const;

function createAccount({ state }: StripeWorld, fields: Fields) {
  if (fields['type'] !== 'express') throw badParameter('parameter_invalid', 'type');
  if (fields['capabilities[transfers][requested]'] !== 'true') throw badParameter('parameter_missing', 'capabilities');
  if (!state.platform.isApprovedForTransfers) throw new StripeRefusal(unapproved);
  const country = fields['country'] ?? state.platform.country;
  const agreement = agreementOf(fields, country !== state.platform.country);
  const account = {
    id: createStripeId('acct'),
    object: 'account',
    created: state.nowSeconds(),
    type: 'express',
    metadata: metadataOf(fields),
    capabilities: { transfers: 'inactive' },
    country,
    tos_acceptance: { service_agreement: agreement },
    requirements: {
      currently_due: ['external_account', 'tos_acceptance.date'],
      past_due: [],
      disabled_reason: 'requirements.past_due',
    },
    details_submitted: false,
    payouts_enabled: false,
  } as const;
  state.accounts.set(account.id, account);
  return account;
}

/** As on the pages docs.stripe.com/connect/service-agreement-types and docs.stripe.com/error-codes (country_unsupported). */
function agreementOf(fields: Fields, isAbroad: boolean): 'full' | 'recipient' {
  const agreement = fields['tos_acceptance[service_agreement]'] ?? 'full';
  const country = fields['country'] ?? '';
  if (country === 'KP') throw countryRefusal(`${country} is not currently supported by Stripe.`, 'country_unsupported');
  if (isAbroad !== (agreement === 'recipient'))
    throw countryRefusal(`The ${agreement} service agreement is not supported for your platform in ${country}.`);
  return isAbroad ? 'recipient' : 'full';
}

function countryRefusal(message: string, code?: string): StripeRefusal {
  const facts = { status: 400, type: 'invalid_request_error', message, param: 'country' } as const;
  return new StripeRefusal({ ...facts, ...(code !== undefined && { code }) });
}

/** As on the page docs.stripe.com/api/accounts/login_link/create: for Express accounts that are onboarded. */
function createLoginLink({ state }: StripeWorld, _fields: Fields, id: string) {
  const account = state.accounts.get(id);
  if (!account) throw noSuch('account', id, 'account');
  if (!account.details_submitted) {
    const message = 'Cannot create a login link for an account that has not completed onboarding.';
    throw new StripeRefusal({ status: 400, type: 'invalid_request_error', message });
  }
  const url = `https://connect.stripe.example/express/${id}/${createStripeId('login')}`;
  return { object: 'login_link', created: state.nowSeconds(), url };
}

const linkLifeSeconds = 300;

function createAccountLink({ state }: StripeWorld, fields: Fields) {
  const account = required(fields, 'account');
  if (required(fields, 'type') !== 'account_onboarding') throw badParameter('parameter_invalid', 'type');
  required(fields, 'return_url');
  required(fields, 'refresh_url');
  if (!state.accounts.has(account)) throw badParameter('resource_missing', 'account');
  const url = `https://connect.stripe.example/setup/e/${account}/${createStripeId('link')}`;
  state.links.set(url, account);
  const created = state.nowSeconds();
  return { object: 'account_link', created, expires_at: created + linkLifeSeconds, url };
}

function createCustomer({ state }: StripeWorld, fields: Fields): DoubleCustomer {
  const created = state.nowSeconds();
  const customer = { id: createStripeId('cus'), object: 'customer', created, metadata: metadataOf(fields) } as const;
  state.customers.set(customer.id, customer);
  return customer;
}

const sessionLifeSeconds = 86_400;

function createSession({ state }: StripeWorld, fields: Fields) {
  if (required(fields, 'mode') !== 'setup') throw badParameter('parameter_invalid', 'mode');
  if (fields['payment_method_types[0]'] !== 'card') throw badParameter('parameter_missing', 'payment_method_types');
  required(fields, 'success_url');
  const customer = required(fields, 'customer');
  if (!state.customers.has(customer)) throw badParameter('resource_missing', 'customer');
  const id = createStripeId('cs_test');
  const session = {
    id,
    object: 'checkout.session',
    created: state.nowSeconds(),
    mode: 'setup',
    customer,
    url: `https://checkout.stripe.example/c/pay/${id}`,
    expires_at: state.nowSeconds() + sessionLifeSeconds,
    status: 'open',
  } as const;
  state.sessions.set(session.url, session);
  return session;
}

function detach({ state }: StripeWorld, _fields: Fields, id: string) {
  const method = state.paymentMethods.get(id);
  if (!method) throw noSuch('PaymentMethod', id, 'payment_method');
  if (method.customer === null) {
    const message = 'The payment method you provided is not attached to a customer so detachment is impossible.';
    throw new StripeRefusal({ status: 400, type: 'invalid_request_error', message });
  }
  const detached = { ...method, customer: null };
  state.paymentMethods.set(id, detached);
  return detached;
}

const eventsKeptSeconds = 30 * 86_400;

/** As on the page docs.stripe.com/api/events/list: of the last 30 days. Events of a connected account are listed for it alone. */
function listEvents({ state, events }: StripeWorld, { 'stripe-account': account, ...fields }: Fields) {
  const since = state.nowSeconds() - eventsKeptSeconds;
  const kept = events.filter((event) => event.account === account && event.created >= since);
  const { data, ...page } = listNewestFirst(kept, fields);
  const sent = { api_version: null, livemode: false, pending_webhooks: 0, request: null };
  return { ...page, url: '/v1/events', data: data.map((event) => ({ ...event, ...sent })) };
}
