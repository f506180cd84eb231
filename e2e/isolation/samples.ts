import type { Route } from '@tollgate/contracts/routes/route';
import type { Owner } from './owner.ts';

/** How the matrix asks a route about what belongs to an owner, and the status that it expects. */
export interface Sample {
  /** With the owner's ids in every parameter. */
  readonly path: (owner: Owner) => string;
  readonly body?: (owner: Owner) => object;
  /** The status for the owner with its own token; for the operator on the operator's routes. */
  readonly toOwner: number;
  /** The status for another account with the owner's ids: 404 where they name something, 200 for what it has put itself. */
  readonly toOthers: number;
  /** Everybody may read what the answer says of the owner. */
  readonly isPublicCatalogue?: boolean;
}

type Path = string | Sample['path'];
type Statuses = number | readonly [toOwner: number, toOthers: number];

function sample(path: Path, statuses: Statuses, more: Partial<Sample> = {}): Sample {
  const [toOwner, toOthers] = typeof statuses === 'number' ? [statuses, statuses] : statuses;
  return { path: typeof path === 'string' ? () => path : path, toOwner, toOthers, ...more };
}

const returnTo = { body: () => ({ return_url: 'https://example.com/back' }) };
const nothing = { body: () => ({}) };
const price = { per_call_usd: '0.02' };
const newPrice = { price, effective_from: '2032-01-01T00:00:00Z' };
const isPublicCatalogue = true;
const nobodysEmbed = '01928f3a-7c1e-7b3d-9e2f-4a5b6c7d8e9f';

/** The parameters of paths that name what the owner has; `{id}` means something else in each path. */
const ownIds: Readonly<Record<string, (owner: Owner) => string>> = {
  account_id: ({ accountId }) => accountId,
  slug: ({ slug }) => slug,
  event_id: ({ eventId }) => eventId,
  authorization_id: ({ authorizationId }) => authorizationId,
  '/v1/auth/sessions/{id}': ({ sessionId }) => sessionId,
  '/v1/api-keys/{id}': ({ keyId }) => keyId,
  '/v1/passes/{id}': ({ passId }) => passId,
};

/** The sample of a route. A route has one of its own here, or that which follows from its line in the contracts. */
export function sampleOf(route: Route): Sample {
  return samples[route.operationId] ?? followingSample(route);
}

/**
 * The body is the example, and the first answer is expected. A parameter is the owner's id; where the owner has none
 * such, it is an id that names nothing, and everybody gets 404. Others get 404 for what the owner has, and for the operator's routes.
 */
function followingSample({ path, access, body, responses }: Route): Sample {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: text, 1: name = '', index }) => ({
    text,
    read: ownIds[path.slice(0, index) + text] ?? ownIds[name],
  }));
  const example = (body?.meta() as { readonly examples?: readonly object[] } | undefined)?.examples?.[0];
  const toOwner = ids.every(({ read }) => read) ? Number(Object.keys(responses)[0]) : 404;
  return {
    path: (owner) => ids.reduce((filled, { text, read }) => filled.replace(text, (read ?? nobodysId)(owner)), path),
    toOwner,
    toOthers: access === 'operator' || ids.length > 0 ? 404 : toOwner,
    ...(example ? { body: () => example } : {}),
  };
}

/** An account is no invoice, payout or refund. Billing's own tests ask for invoices and payouts that exist. */
function nobodysId({ accountId }: Owner): string {
  return accountId;
}

/** The samples that do not follow from the route, by operation id. */
export const samples: Readonly<Record<string, Sample>> = {
  register: sample('/v1/auth/register', 409, { body: ({ email, password }) => ({ email, password }) }),
  login: sample('/v1/auth/login', 401, { body: ({ email }) => ({ email, password: 'not the password' }) }),
  closeAccount: sample('/v1/auth/account', 401, { body: () => ({ password: 'not the password' }) }),
  // Only a page of our own signs a browser in.
  beginBrowserSession: sample('/v1/auth/session', 403, { body: ({ email, password }) => ({ email, password }) }),
  proveSecondFactor: sample('/v1/auth/session/second-factor', 404, { body: () => ({ totp_code: '000000' }) }),
  createDeviceLogin: sample('/v1/auth/device', 200, { body: () => ({ client: 'a test' }) }),
  redeemDeviceLogin: sample('/v1/auth/device/token', 400, { body: () => ({ device_code: 'device_guess' }) }),
  // Without PUBLIC_URL there is no OAuth, and the tests of auth ask the rest.
  getOAuthMetadata: sample('/.well-known/oauth-authorization-server', 404),
  getOpenIdMetadata: sample('/.well-known/openid-configuration', 404),
  authorizeOAuthClient: sample('/oauth/authorize', 404),
  registerOAuthClient: sample('/oauth/register', 404),
  getOAuthToken: sample('/oauth/token', 404),
  revokeOAuthToken: sample('/oauth/revoke', 404),
  introspectOAuthToken: sample('/oauth/introspect', 404),
  // Without a form and a code the page gives nothing.
  answerDevicePage: sample('/device', 415, nothing),
  getApprovalPage: sample('/approvals/nothing', 404),
  answerApprovalPage: sample('/approvals/01928f3a-7c1e-7b3d-9e2f-4a5b6c7d8e9f', 415, nothing),
  approveCall: sample('/v1/approvals/01928f3a-7c1e-7b3d-9e2f-4a5b6c7d8e9f/approve', 404),
  refuseCall: sample('/v1/approvals/01928f3a-7c1e-7b3d-9e2f-4a5b6c7d8e9f/refuse', 404),
  checkPass: sample('/v1/passes/check', 403, { body: () => ({ pass: 'tg_pass_no_such' }) }),
  updateAccount: sample('/v1/auth/me', 200, { body: () => ({ public_name: null }) }),
  changePassword: sample('/v1/auth/password', [204, 401], {
    body: ({ password }) => ({ current_password: password, new_password: 'another horse battery' }),
  }),
  beginTotp: sample('/v1/auth/totp', [201, 401], { body: ({ password }) => ({ password }) }),
  confirmTotp: sample('/v1/auth/totp/confirm', 404, { body: () => ({ code: '000000' }) }),
  removeTotp: sample('/v1/auth/totp/remove', [404, 401], { body: ({ password }) => ({ password }) }),
  replaceRecoveryCodes: sample('/v1/auth/recovery-codes', [404, 401], { body: ({ password }) => ({ password }) }),
  listActivity: sample(({ cursors }) => `/v1/auth/activity?cursor=${cursors.acts}`, 200),
  listAudit: sample(({ accountId }) => `/v1/operator/audit?account_id=${accountId}`, [200, 404]),
  createApiKey: sample('/v1/api-keys', 201, { body: () => ({ name: 'another' }) }),
  listApiKeys: sample(({ cursors }) => `/v1/api-keys?cursor=${cursors.keys}`, 200),
  createPass: sample('/v1/passes', 201, { body: () => ({ name: 'another', tools: '*' }) }),
  listPasses: sample(({ cursors }) => `/v1/passes?cursor=${cursors.passes}`, 200),
  getOwnPass: sample('/v1/passes/self', 403),
  createChildPass: sample('/v1/passes/self/children', 403, nothing),
  listChildPasses: sample('/v1/passes/self/children', 403),
  updatePass: sample(({ passId }) => `/v1/passes/${passId}`, [200, 404], { body: () => ({ name: 'mine now' }) }),
  rotatePass: sample(({ passId }) => `/v1/passes/${passId}/rotate`, [200, 404], nothing),
  createTool: sample('/v1/tools', 409, { body: ({ slug }) => ({ slug, name: 'mine now', price }) }),
  listTools: sample(({ cursors }) => `/v1/tools?cursor=${cursors.tools}`, 200),
  getTool: sample(({ slug }) => `/v1/tools/${slug}`, 200, { isPublicCatalogue }),
  updateTool: sample(({ slug }) => `/v1/tools/${slug}`, [200, 404], { body: () => ({ name: 'mine now' }) }),
  createPriceVersion: sample(({ slug }) => `/v1/tools/${slug}/prices`, [201, 404], { body: () => newPrice }),
  listPriceVersions: sample(({ slug, cursors }) => `/v1/tools/${slug}/prices?cursor=${cursors.prices}`, 200, {
    isPublicCatalogue,
  }),
  recordEvent: sample('/v1/events', [409, 201], {
    body: ({ slug, idempotencyKey: key }) => ({ tool_id: slug, idempotency_key: key, metadata: { note: 'mine' } }),
  }),
  recordEvents: sample('/v1/events/batch', 200, {
    body: ({ slug, idempotencyKey: key }) => ({ events: [{ tool_id: slug, idempotency_key: key }] }),
  }),
  listEvents: sample(
    ({ cursors, idempotencyKey }) => `/v1/events?cursor=${cursors.events}&idempotency_key=${idempotencyKey}`,
    200,
  ),
  askAuthorization: sample('/v1/authorizations', 201, { body: ({ slug }) => ({ tool_id: slug }) }),
  increaseAuthorization: sample(({ authorizationId }) => `/v1/authorizations/${authorizationId}/increase`, [200, 404], {
    body: () => ({ max: { duration_ms: 1 } }),
  }),
  extendAuthorization: sample(({ authorizationId }) => `/v1/authorizations/${authorizationId}/extend`, [200, 404], {
    body: () => ({ ttl_seconds: 3600, reference: 'mine now' }),
  }),
  listAuthorizations: sample('/v1/authorizations?reference=a-job', 200),
  getBudget: sample('/v1/billing/budget', [404, 200]),
  putBudget: sample('/v1/billing/budget', 200, { body: () => ({ amount_usd: 1000, window: 'month' }) }),
  getUsage: sample('/v1/usage?group_by=tool_id,consumer_id&role=builder', 200),
  connect: sample('/v1/billing/connect', 200, returnTo),
  createLoginLink: sample('/v1/billing/account/login-link', 404, nothing),
  getBillingDetails: sample('/v1/billing/details', [404, 200]),
  setBillingDetails: sample('/v1/billing/details', 200, {
    body: () => ({ name: 'Ada', address: ['12 Engine Street'], country: 'GB' }),
  }),
  setUpPaymentMethod: sample('/v1/billing/payment-method', 200, returnTo),
  getPaymentMethod: sample('/v1/billing/payment-method', 404),
  // The link of a page is its credential. Without the link, a form or a signature, the page gives nothing.
  getOnboardingPage: sample('/v1/sandbox/onboarding?token=guess', 404),
  answerOnboardingPage: sample('/v1/sandbox/onboarding', 415, nothing),
  getCardSetupPage: sample('/v1/sandbox/card-setup?token=guess', 404),
  answerCardSetupPage: sample('/v1/sandbox/card-setup', 415, nothing),
  // The sandbox processor does not serve this route.
  // Without SMTP_URL there are no such links, and nobody can ask for one.
  requestPasswordReset: sample('/v1/auth/password-reset', 404, { body: () => ({ email: 'ada@example.com' }) }),
  requestEmailConfirmation: sample('/v1/auth/email-confirmation', 404),
  getPasswordResetPage: sample('/password-reset', 404),
  answerPasswordResetPage: sample('/password-reset', 415, nothing),
  getEmailConfirmationPage: sample('/email-confirmation', 404),
  answerEmailConfirmationPage: sample('/email-confirmation', 415, nothing),
  getUnsubscribePage: sample('/unsubscribe?token=none', 404),
  unsubscribe: sample('/unsubscribe?token=none', 404, nothing),
  receiveStripeWebhook: sample('/v1/webhooks/stripe', 404, nothing),
  receiveSandboxWebhook: sample('/v1/webhooks/sandbox', 400, nothing),
  // No month closes while this test runs.
  getStatement: sample('/v1/billing/statements?period=2020-01', 404),
  listDeadLetters: sample(({ accountId }) => `/v1/operator/dead-letters?consumer_id=${accountId}`, [200, 404]),
  // No record is a dead letter here. The gateway's own tests ask for one that exists.
  getDeadLetter: sample('/v1/operator/dead-letters/usage.events.v1:0:1', 404),
  replayDeadLetter: sample('/v1/operator/dead-letters/usage.events.v1:0:1/replay', 404),
  listAllInvoices: sample(({ accountId }) => `/v1/operator/invoices?account_id=${accountId}`, [200, 404]),
  listAllPayouts: sample(({ accountId }) => `/v1/operator/payouts?account_id=${accountId}`, [200, 404]),
  createOperatorCode: sample('/v1/operator/code', 404, { body: () => ({ code: '000000' }) }),
  createOperatorToken: sample('/v1/operator/tokens', [201, 404], { body: () => ({ name: 'another' }) }),
  revokeOperatorToken: sample('/v1/operator/tokens/no-such-token', 404),
  suspendAccount: sample(({ accountId }) => `/v1/operator/accounts/${accountId}/suspend`, [200, 404], {
    body: () => ({ reason: 'a test' }),
  }),
  getPeriodStatus: sample('/v1/operator/periods/2026-11', [200, 404]),
  createTopUp: sample('/v1/billing/top-ups', 409, { body: () => ({ amount_usd: 1 }) }),
  refundBalance: sample('/v1/billing/balance/refunds', 422, { body: () => ({ amount_usd: 1 }) }),
  setCreditLimit: sample(({ accountId }) => `/v1/operator/accounts/${accountId}/credit-limit`, [200, 404], {
    body: () => ({ credit_limit_usd: 1 }),
  }),
  putBalanceAlerts: sample('/v1/billing/balance/alerts', 200, { body: () => ({ below_usd: [1] }) }),
  getAutoTopUp: sample('/v1/billing/auto-top-up', [404, 200]),
  putAutoTopUp: sample('/v1/billing/auto-top-up', 200, {
    body: () => ({ below_usd: 1, amount_usd: 1, monthly_max_usd: 1 }),
  }),
  grantCredit: sample(({ accountId }) => `/v1/operator/accounts/${accountId}/credits`, [201, 404], {
    body: () => ({ amount_usd: 1, reason: 'a sample' }),
  }),
  refundInvoice: sample(({ accountId }) => `/v1/operator/invoices/${accountId}/refunds`, 404, {
    body: () => ({ amount_usd: 1 }),
  }),
  reconcile: sample('/v1/operator/reconcile?period=2026-11', [200, 404]),
  scriptFailure: sample('/v1/sandbox/failures', [201, 404], {
    body: ({ accountId }) => ({ on: 'charge', failure: 'decline', invoice_id: accountId }),
  }),
  openDispute: sample('/v1/sandbox/disputes', 404, {
    body: ({ accountId }) => ({ invoice_id: accountId, amount_usd: 1, outcome: 'lost' }),
  }),
  decideDispute: sample('/v1/sandbox/disputes/dp_none/decide', 404, { body: () => ({ outcome: 'won' }) }),
  payOutToBank: sample('/v1/sandbox/own-payouts', [422, 404], { body: () => ({ amount_usd: 99_000_000 }) }),
  // A move back is refused, and so does not age the tokens of this test.
  moveClock: sample('/v1/sandbox/clock', [409, 404], { body: () => ({ now: '2000-01-01T00:00:00Z' }) }),
  getDocumentationAsset: sample('/docs/swagger-ui.css', 200),
  getConsoleAsset: sample('/app/assets/no-such-file.js', 404),
  getMoneyPath: sample('/v1/operator/money-path?period=2026-11', [200, 404]),
  getEmbedPage: sample(`/app/embed/${nobodysEmbed}`, 200),
  getConsolePage: sample('/app/passes', 200),
  getConsoleObject: sample('/app/passes/new', 200),
  getConsolePart: sample('/app/operator/payouts/new', 200),
};
