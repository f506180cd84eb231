import type { Owner } from './owner.ts';

/** How a route is asked about what belongs to an owner, and what becomes of it. */
export interface Sample {
  /** With the owner's ids in every parameter. */
  readonly path: (owner: Owner) => string;
  readonly body?: (owner: Owner) => object;
  /** What the owner gets with its own token; of the operator's routes, what the operator gets. */
  readonly toOwner: number;
  /** What another account gets with these ids: 404 where they name something, else as with any other text. */
  readonly toOthers: number;
  /** What it says of the owner is for everybody: the public catalogue. */
  readonly isPublicCatalogue?: boolean;
}

const returnTo = { return_url: 'https://example.com/back' };
const price = { per_call_usd: '0.02' };

/** By operation id. A new route is not forgotten: without a sample here the matrix fails. */
export const samples: Readonly<Record<string, Sample>> = {
  register: {
    path: () => '/v1/auth/register',
    body: ({ email, password }) => ({ email, password }),
    toOwner: 409,
    toOthers: 409,
  },
  login: {
    path: () => '/v1/auth/login',
    body: ({ email }) => ({ email, password: 'not the password' }),
    toOwner: 401,
    toOthers: 401,
  },
  refresh: { path: () => '/v1/auth/refresh', toOwner: 200, toOthers: 200 },
  logout: { path: () => '/v1/auth/logout', toOwner: 204, toOthers: 204 },
  changePassword: {
    path: () => '/v1/auth/password',
    body: ({ password }) => ({ current_password: password, new_password: 'another horse battery' }),
    toOwner: 204,
    toOthers: 401,
  },
  getAccount: { path: () => '/v1/auth/me', toOwner: 200, toOthers: 200 },
  getSigningKeys: { path: () => '/.well-known/jwks.json', toOwner: 200, toOthers: 200 },
  createApiKey: { path: () => '/v1/api-keys', body: () => ({ name: 'another' }), toOwner: 201, toOthers: 201 },
  listApiKeys: { path: ({ cursors }) => `/v1/api-keys?cursor=${cursors.keys}`, toOwner: 200, toOthers: 200 },
  deleteApiKey: { path: ({ keyId }) => `/v1/api-keys/${keyId}`, toOwner: 204, toOthers: 404 },
  createTool: {
    path: () => '/v1/tools',
    body: ({ slug }) => ({ slug, name: 'mine now', price }),
    toOwner: 409,
    toOthers: 409,
  },
  listTools: { path: ({ cursors }) => `/v1/tools?cursor=${cursors.tools}`, toOwner: 200, toOthers: 200 },
  getTool: { path: ({ slug }) => `/v1/tools/${slug}`, toOwner: 200, toOthers: 200, isPublicCatalogue: true },
  updateTool: {
    path: ({ slug }) => `/v1/tools/${slug}`,
    body: () => ({ name: 'mine now' }),
    toOwner: 200,
    toOthers: 404,
  },
  archiveTool: { path: ({ slug }) => `/v1/tools/${slug}/archive`, toOwner: 200, toOthers: 404 },
  createPriceVersion: {
    path: ({ slug }) => `/v1/tools/${slug}/prices`,
    body: () => ({ price, effective_from: '2032-01-01T00:00:00Z' }),
    toOwner: 201,
    toOthers: 404,
  },
  listPriceVersions: {
    path: ({ slug, cursors }) => `/v1/tools/${slug}/prices?cursor=${cursors.prices}`,
    toOwner: 200,
    toOthers: 200,
    isPublicCatalogue: true,
  },
  recordEvent: {
    path: () => '/v1/events',
    body: ({ slug, idempotencyKey }) => ({
      tool_id: slug,
      idempotency_key: idempotencyKey,
      metadata: { note: 'mine' },
    }),
    toOwner: 409,
    toOthers: 201,
  },
  recordEvents: {
    path: () => '/v1/events/batch',
    body: ({ slug, idempotencyKey }) => ({ events: [{ tool_id: slug, idempotency_key: idempotencyKey }] }),
    toOwner: 200,
    toOthers: 200,
  },
  listEvents: {
    path: ({ cursors, idempotencyKey }) => `/v1/events?cursor=${cursors.events}&idempotency_key=${idempotencyKey}`,
    toOwner: 200,
    toOthers: 200,
  },
  listRefusedEvents: { path: () => '/v1/events/refused', toOwner: 200, toOthers: 200 },
  getEvent: { path: ({ eventId }) => `/v1/events/${eventId}`, toOwner: 200, toOthers: 404 },
  traceEvent: { path: ({ eventId }) => `/v1/events/${eventId}/trace`, toOwner: 200, toOthers: 404 },
  getUsage: {
    path: () => '/v1/usage?group_by=tool_id,consumer_id&role=builder',
    toOwner: 200,
    toOthers: 200,
  },
  getBillingAccount: { path: () => '/v1/billing/account', toOwner: 200, toOthers: 200 },
  connect: { path: () => '/v1/billing/connect', body: () => returnTo, toOwner: 200, toOthers: 200 },
  disconnect: { path: () => '/v1/billing/connect', toOwner: 204, toOthers: 204 },
  setUpPaymentMethod: { path: () => '/v1/billing/payment-method', body: () => returnTo, toOwner: 200, toOthers: 200 },
  getPaymentMethod: { path: () => '/v1/billing/payment-method', toOwner: 404, toOthers: 404 },
  removePaymentMethod: { path: () => '/v1/billing/payment-method', toOwner: 204, toOthers: 204 },
  // Who may use a page is who has its link; who has none, or no form, or no signature, gets nothing.
  getOnboardingPage: { path: () => '/v1/sandbox/onboarding?token=guess', toOwner: 404, toOthers: 404 },
  answerOnboardingPage: { path: () => '/v1/sandbox/onboarding', body: () => ({}), toOwner: 415, toOthers: 415 },
  getCardSetupPage: { path: () => '/v1/sandbox/card-setup?token=guess', toOwner: 404, toOthers: 404 },
  answerCardSetupPage: { path: () => '/v1/sandbox/card-setup', body: () => ({}), toOwner: 415, toOthers: 415 },
  // Not there with the sandbox processor.
  receiveStripeWebhook: { path: () => '/v1/webhooks/stripe', body: () => ({}), toOwner: 404, toOthers: 404 },
  receiveSandboxWebhook: { path: () => '/v1/webhooks/sandbox', body: () => ({}), toOwner: 400, toOthers: 400 },
  listInvoices: { path: () => '/v1/billing/invoices', toOwner: 200, toOthers: 200 },
  getUpcomingInvoice: { path: () => '/v1/billing/invoices/upcoming', toOwner: 200, toOthers: 200 },
  // No month closes while a test runs; billing's own tests ask for an invoice that is there.
  getInvoice: { path: ({ accountId }) => `/v1/billing/invoices/${accountId}`, toOwner: 404, toOthers: 404 },
  getInvoicePdf: { path: ({ accountId }) => `/v1/billing/invoices/${accountId}.pdf`, toOwner: 404, toOthers: 404 },
  listPayouts: { path: () => '/v1/billing/payouts', toOwner: 200, toOthers: 200 },
  // No month closes while a test runs, as with invoices.
  getPayout: { path: ({ accountId }) => `/v1/billing/payouts/${accountId}`, toOwner: 404, toOthers: 404 },
  getStatement: { path: () => '/v1/billing/statements?period=2020-01', toOwner: 404, toOthers: 404 },
  listPayoutsOfAccount: {
    path: ({ accountId }) => `/v1/operator/accounts/${accountId}/payouts`,
    toOwner: 200,
    toOthers: 404,
  },
  listPayoutAttempts: {
    path: ({ accountId }) => `/v1/operator/payouts/${accountId}/attempts`,
    toOwner: 404,
    toOthers: 404,
  },
  listDeadLetters: {
    path: ({ accountId }) => `/v1/operator/dead-letters?consumer_id=${accountId}`,
    toOwner: 200,
    toOthers: 404,
  },
  // Nothing is dead here; the gateway's own tests ask for one that is.
  getDeadLetter: { path: () => '/v1/operator/dead-letters/usage.events.v1:0:1', toOwner: 404, toOthers: 404 },
  replayDeadLetter: { path: () => '/v1/operator/dead-letters/usage.events.v1:0:1/replay', toOwner: 404, toOthers: 404 },
  listAccounts: { path: () => '/v1/operator/accounts', toOwner: 200, toOthers: 404 },
  findAccount: { path: ({ accountId }) => `/v1/operator/accounts/${accountId}`, toOwner: 200, toOthers: 404 },
  getPeriodStatus: { path: () => '/v1/operator/periods/2026-11', toOwner: 200, toOthers: 404 },
  // No invoice is closed here; billing's own tests refund one that is paid.
  refundInvoice: {
    path: ({ accountId }) => `/v1/operator/invoices/${accountId}/refunds`,
    body: () => ({ amount_usd: 1 }),
    toOwner: 404,
    toOthers: 404,
  },
  reconcile: { path: () => '/v1/operator/reconcile?period=2026-11', toOwner: 200, toOthers: 404 },
  listRefunds: {
    path: ({ accountId }) => `/v1/operator/invoices/${accountId}/refunds`,
    toOwner: 404,
    toOthers: 404,
  },
  voidInvoice: {
    path: ({ accountId }) => `/v1/operator/invoices/${accountId}/void`,
    toOwner: 404,
    toOthers: 404,
  },
  listInvoiceAttempts: {
    path: ({ accountId }) => `/v1/operator/invoices/${accountId}/attempts`,
    toOwner: 404,
    toOthers: 404,
  },
  scriptFailure: {
    path: () => '/v1/sandbox/failures',
    body: ({ accountId }) => ({ on: 'charge', failure: 'decline', invoice_id: accountId }),
    toOwner: 201,
    toOthers: 404,
  },
  listFailures: { path: () => '/v1/sandbox/failures', toOwner: 200, toOthers: 404 },
  clearFailures: { path: () => '/v1/sandbox/failures', toOwner: 204, toOthers: 404 },
  openDispute: {
    path: () => '/v1/sandbox/disputes',
    body: ({ accountId }) => ({ invoice_id: accountId, amount_usd: 1, outcome: 'lost' }),
    toOwner: 404,
    toOthers: 404,
  },
  getClock: { path: () => '/v1/sandbox/clock', toOwner: 200, toOthers: 404 },
  // Back, which it never goes: to move it would age the tokens of this test.
  moveClock: {
    path: () => '/v1/sandbox/clock',
    body: () => ({ now: '2000-01-01T00:00:00Z' }),
    toOwner: 409,
    toOthers: 404,
  },
  getLiveness: { path: () => '/livez', toOwner: 200, toOthers: 200 },
  getReadiness: { path: () => '/readyz', toOwner: 200, toOthers: 200 },
  getOpenApi: { path: () => '/openapi.json', toOwner: 200, toOthers: 200 },
  getDocumentation: { path: () => '/docs', toOwner: 200, toOthers: 200 },
  getDocumentationAsset: { path: () => '/docs/swagger-ui.css', toOwner: 200, toOthers: 200 },
};
