import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { CreditNoteList } from '@tollgate/contracts/money/credit-notes';
import type { Route } from '@tollgate/contracts/routes/route';
import { isServedWith, routes } from '@tollgate/contracts/routes/routes';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { itWith } from '../it-with.ts';
import { openProduct, type Product } from '../open-product.ts';
import { totpCode } from './totp-code.ts';
import { createWorld, operatorToken, type World } from './world.ts';

interface Act {
  readonly action: string;
  /** How many rows. Default: one. */
  readonly rows?: number;
  readonly by: 'owner' | 'operator' | 'nobody';
  readonly path: (world: World) => string;
  readonly body?: (world: World, client: HttpClient) => object | undefined | Promise<object | undefined>;
}

const returnTo = () => ({ return_url: 'https://example.com/back' });
const price = { per_call_usd: '0.01' };
const signIn = ({ ownerEmail: email, ownerPassword: password }: World) => ({ email, password });
const ofOwner = (rest: string) => (world: World) => `/v1/operator/accounts/${world.ownerId}/${rest}`;

/** In an order in which each call succeeds. The last three end the owner's own credentials. */
const acts: Readonly<Record<string, Act>> = {
  register: {
    action: 'account.registered',
    by: 'nobody',
    path: () => '/v1/auth/register',
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'a horse and a battery' }),
  },
  login: { action: 'account.signed_in', by: 'nobody', path: () => '/v1/auth/login', body: signIn },
  createApiKey: { action: 'api_key.created', by: 'owner', path: () => '/v1/api-keys', body: () => ({ name: 'a key' }) },
  createEmbed: { action: 'embed.created', by: 'owner', path: () => '/v1/embeds', body: () => ({ page: 'usage' }) },
  putEmbedOrigins: {
    action: 'embed_origins.changed',
    by: 'owner',
    path: () => '/v1/embeds/origins',
    body: () => ({ origins: [] }),
  },
  deleteApiKey: { action: 'api_key.revoked', by: 'owner', path: ({ keyId }) => `/v1/api-keys/${keyId}` },
  endSession: { action: 'session.ended', by: 'owner', path: ({ sessionId }) => `/v1/auth/sessions/${sessionId}` },
  createPass: {
    action: 'pass.created',
    by: 'owner',
    path: () => '/v1/passes',
    body: () => ({ name: 'a pass', tools: '*' }),
  },
  updatePass: {
    action: 'pass.changed',
    by: 'owner',
    path: ({ passId }) => `/v1/passes/${passId}`,
    body: () => ({ paused: true }),
  },
  rotatePass: {
    action: 'pass.rotated',
    by: 'owner',
    path: ({ passId }) => `/v1/passes/${passId}/rotate`,
    body: () => ({}),
  },
  deletePass: { action: 'pass.revoked', by: 'owner', path: ({ passId }) => `/v1/passes/${passId}` },
  createTool: {
    action: 'tool.created',
    by: 'owner',
    path: () => '/v1/tools',
    body: ({ slug }) => ({ slug: `${slug}-2`, name: 'a tool', price }),
  },
  updateTool: {
    action: 'tool.changed',
    by: 'owner',
    path: ({ slug }) => `/v1/tools/${slug}`,
    body: () => ({ name: 'a better name' }),
  },
  createPriceVersion: {
    action: 'price.added',
    by: 'owner',
    path: ({ slug }) => `/v1/tools/${slug}/prices`,
    body: () => ({ price, effective_from: '2031-01-01T00:00:00Z' }),
  },
  archiveTool: { action: 'tool.archived', by: 'owner', path: ({ slug }) => `/v1/tools/${slug}/archive` },
  connect: { action: 'payout_account.linked', by: 'owner', path: () => '/v1/billing/connect', body: returnTo },
  disconnect: { action: 'payout_account.disconnected', by: 'owner', path: () => '/v1/billing/connect' },
  putNotificationPreferences: {
    action: 'notification_preferences.changed',
    by: 'owner',
    path: () => '/v1/notification-preferences',
    body: () => ({ email: {} }),
  },
  setUpPaymentMethod: {
    action: 'payment_method.linked',
    by: 'owner',
    path: () => '/v1/billing/payment-method',
    body: returnTo,
  },
  removePaymentMethod: { action: 'payment_method.removed', by: 'owner', path: () => '/v1/billing/payment-method' },
  refundInvoice: {
    action: 'invoice.refunded',
    by: 'operator',
    path: ({ paidInvoiceId }) => `/v1/operator/invoices/${paidInvoiceId}/refunds`,
    body: () => ({ amount_usd: 1 }),
  },
  getCreditNotePdf: {
    action: 'data.exported',
    by: 'owner',
    path: ({ creditNoteId }) => `/v1/billing/credit-notes/${creditNoteId}.pdf`,
    async body(world, client) {
      const { body } = await client<CreditNoteList>('GET', '/v1/billing/credit-notes', { token: world.ownerToken });
      world.creditNoteId = body.credit_notes[0]?.id ?? '';
      return undefined;
    },
  },
  grantCredit: {
    action: 'credit.granted',
    by: 'operator',
    path: ofOwner('credits'),
    body: () => ({ amount_usd: 1, reason: 'a test' }),
  },
  setCreditLimit: {
    action: 'credit_limit.changed',
    by: 'operator',
    path: ofOwner('credit-limit'),
    body: () => ({ credit_limit_usd: 0 }),
  },
  putBalanceAlerts: {
    action: 'balance_alerts.changed',
    by: 'owner',
    path: () => '/v1/billing/balance/alerts',
    body: () => ({ below_usd: [1] }),
  },
  putAutoTopUp: {
    action: 'auto_top_up.changed',
    by: 'owner',
    path: () => '/v1/billing/auto-top-up',
    body: () => ({ below_usd: 1, amount_usd: 1, monthly_max_usd: 1 }),
  },
  deleteAutoTopUp: { action: 'auto_top_up.removed', by: 'owner', path: () => '/v1/billing/auto-top-up' },
  setBillingDetails: {
    action: 'billing_details.changed',
    by: 'owner',
    path: () => '/v1/billing/details',
    body: () => ({ name: 'A Company', address: ['A Street 1'], country: 'DE' }),
  },
  voidInvoice: {
    action: 'invoice.voided',
    by: 'operator',
    path: ({ openInvoiceId }) => `/v1/operator/invoices/${openInvoiceId}/void`,
  },
  getInvoicePdf: {
    action: 'data.exported',
    by: 'owner',
    path: ({ paidInvoiceId }) => `/v1/billing/invoices/${paidInvoiceId}.pdf`,
  },
  reconcile: { action: 'data.exported', by: 'operator', path: () => '/v1/operator/reconcile?period=2026-10' },
  ...tablesOf([
    'listAllInvoices',
    'listAllPayouts',
    'getAging',
    'getTrialBalance',
    'getRevenue',
    'getFees',
    'listAudit',
    'listStrayMoney',
  ]),
  moveClock: {
    action: 'clock.moved',
    by: 'operator',
    path: () => '/v1/sandbox/clock',
    body: () => ({ advance_seconds: 1 }),
  },
  suspendAccount: {
    action: 'account.suspended',
    by: 'operator',
    path: ofOwner('suspend'),
    body: () => ({ reason: 'a test' }),
  },
  resumeAccount: { action: 'account.resumed', by: 'operator', path: ofOwner('resume') },
  createOperatorToken: {
    action: 'operator_token.created',
    by: 'operator',
    path: () => '/v1/operator/tokens',
    body: () => ({ name: 'another' }),
  },
  revokeOperatorToken: { action: 'operator_token.revoked', by: 'operator', path: () => '/v1/operator/tokens/another' },
  confirmTotp: {
    action: 'second_factor.added',
    by: 'owner',
    path: () => '/v1/auth/totp/confirm',
    async body({ ownerPassword: password, ownerToken: token }, client) {
      const begun = await client<{ secret: string }>('POST', '/v1/auth/totp', { token, body: { password } });
      return { code: totpCode(begun.body.secret) };
    },
  },
  replaceRecoveryCodes: {
    action: 'recovery_codes.replaced',
    by: 'owner',
    path: () => '/v1/auth/recovery-codes',
    body: proofOf,
  },
  removeTotp: { action: 'second_factor.removed', by: 'owner', path: () => '/v1/auth/totp/remove', body: proofOf },
  updateAccount: {
    action: 'account.named',
    by: 'owner',
    path: () => '/v1/auth/me',
    body: () => ({ public_name: 'Weather House' }),
  },
  changePassword: {
    action: 'password.changed',
    by: 'owner',
    path: () => '/v1/auth/password',
    body: ({ ownerPassword }) => ({ current_password: ownerPassword, new_password: 'another horse battery' }),
  },
  revokeApiKeysOfAccount: { action: 'api_key.revoked', by: 'operator', path: ofOwner('api-keys') },
  logout: { action: 'session.ended', by: 'owner', path: () => '/v1/auth/logout' },
  endSessionsOfAccount: { action: 'session.ended', by: 'operator', path: ofOwner('sessions') },
};

function proofOf({ ownerPassword: password, recoveryCodes }: World): object {
  return { password, recovery_code: recoveryCodes.at(0) };
}

/** Changes that are no acts: usage, what may be spent, the sandbox's own tools, and what a processor or a browser sends. */
const leaveNothing = [
  'beginTotp',
  'refresh',
  'createDeviceLogin',
  'recordEvent',
  'recordEvents',
  'previewPrice',
  'askAuthorization',
  'increaseAuthorization',
  'extendAuthorization',
  'releaseAuthorization',
  'putBudget',
  'deleteBudget',
  'replayDeadLetter',
  'scriptFailure',
  'clearFailures',
  'openDispute',
  'decideDispute',
  'payOutToBank',
  'createLoginLink',
  'answerOnboardingPage',
  'answerCardSetupPage',
  'receiveStripeWebhook',
  'receiveSandboxWebhook',
  'checkPass',
  'registerOAuthClient',
  'getOAuthToken',
  'introspectOAuthToken',
  'testWebhookEndpoint',
  'testOperatorWebhookEndpoint',
  'redeliverWebhookEvent',
  'redeliverFailedWebhooks',
  'requestPasswordReset',
  'requestEmailConfirmation',
];

/** Acts that need a world of their own: tests of billing, auth, the gateway and the notifier look at their rows. */
const elsewhere = [
  'createChildPass',
  'closeAccount',
  'answerDevicePage',
  'beginBrowserSession',
  'endBrowserSession',
  'proveSecondFactor',
  'redeemDeviceLogin',
  'createTopUp',
  'refundBalance',
  'confirmInvoice',
  'createOperatorCode',
  'returnStrayMoney',
  'answerOAuthPage',
  'answerApprovalPage',
  'approveCall',
  'refuseCall',
  'unsubscribe',
  'answerPasswordResetPage',
  'answerEmailConfirmationPage',
  'revokeOAuthToken',
  'revokeConsent',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'rotateWebhookSecret',
  'deleteWebhookEndpoint',
  'createOperatorWebhookEndpoint',
  'updateOperatorWebhookEndpoint',
  'rotateOperatorWebhookSecret',
  'deleteOperatorWebhookEndpoint',
];

function tablesOf(operationIds: readonly string[]): Record<string, Act> {
  const act = (id: string): Act => ({
    action: 'data.exported',
    by: 'operator',
    path: () => `${routeOf(id).path}?format=csv`,
  });
  return Object.fromEntries(operationIds.map((id) => [id, act(id)]));
}

function routeOf(operationId: string): Route {
  const route = routes.find((each) => each.operationId === operationId);
  if (!route) throw new Error(`there is no route ${operationId}`);
  return route;
}

const isAct = ({ method, isExport = false, responses }: Route): boolean =>
  method !== 'GET' || isExport || Object.values(responses).some(({ isAlsoCsv }) => isAlsoCsv);

interface Row {
  readonly action: string;
  readonly result: string;
  readonly actor: string;
  readonly address: string;
  readonly account_id: string | null;
  readonly operator_name: string | null;
}

describe('F142 in the whole product', () => {
  const it = itWith(async (undo) => {
    const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: '2026-10-20T12:00:00Z' };
    const product = await openProduct({ name: 'audit', env }, undo);
    return { product, world: await createWorld(product) };
  });

  const rowsOf = ({ dataDir }: Product, requestId: string) =>
    withOracleDatabase(ownerUrlOf(dataDir), async (database) => {
      const { rows } = await database.query<Row>('select * from audit.act where request_id = $1', [requestId]);
      return rows;
    });

  it('every route that changes or exports something is known here, as an act or as none', async () => {
    const known = [...Object.keys(acts), ...leaveNothing, ...elsewhere];
    const found = routes.filter(isAct).map(({ operationId }) => operationId);
    expect(known.toSorted()).toEqual(found.toSorted());
    expect(Object.keys(acts).every((id) => isServedWith('sandbox')(routeOf(id)))).toBe(true);
  });

  for (const [id, act] of Object.entries(acts))
    it(`${id} leaves exactly one row`, async ({ product, world }) => {
      const tokens = { owner: world.ownerToken, operator: operatorToken, nobody: undefined };
      const token = tokens[act.by];
      const requestId = `${id}-${randomUUID()}`;
      const body = await act.body?.(world, product.client);
      const answer = await product.client(routeOf(id).method, act.path(world), {
        headers: { 'x-request-id': requestId },
        ...(token !== undefined && { token }),
        ...(body && { body }),
      });
      const { recovery_codes: codes } = (answer.body ?? {}) as { recovery_codes?: readonly string[] };
      if (codes) world.recoveryCodes = codes;
      expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
      const actor = act.by === 'operator' ? 'operator' : 'session';
      const operator_name = act.by === 'operator' ? 'default' : null;
      const expected = { action: act.action, result: 'done', actor, operator_name, address: '127.0.0.1' };
      expect(await rowsOf(product, requestId)).toEqual([expect.objectContaining(expected)]);
    });

  it('the processor’s word about a card and a payout account leaves rows too', async ({ product, world }) => {
    const { rows } = await withOracleDatabase(ownerUrlOf(product.dataDir), (database) =>
      database.query<Row>("select action from audit.act where actor = 'processor' and account_id = $1", [
        world.ownerId,
      ]),
    );
    expect(rows.map(({ action }) => action).toSorted()).toEqual(['payment_method.changed', 'payout_account.changed']);
  });
});
