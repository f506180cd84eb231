import type { ProcessorName, Route, ServiceName } from './route.ts';
import { auditRoutes } from '../operator/audit.ts';
import { authRoutes, passwordRoutes } from '../accounts/auth-routes.ts';
import { balanceRoutes } from '../money/balance-routes.ts';
import { billingAccountRoutes } from '../money/billing-account-routes.ts';
import { invoiceRoutes, collectionRoutes } from '../money/invoice-routes.ts';
import { browserSessionRoutes } from '../accounts/browser-sessions.ts';
import { closureRoutes } from '../accounts/closure.ts';
import { clockRoutes } from '../sandbox/sandbox-clock.ts';
import { consentRoutes } from '../accounts/consents.ts';
import { deviceLoginRoutes } from '../accounts/device-login.ts';
import { embedRoutes } from '../accounts/embeds.ts';
import { eventRoutes } from '../events/event-routes.ts';
import { approvalRoutes } from '../spending/approvals.ts';
import { forecastRoutes } from '../money/forecast.ts';
import { gateRoutes } from '../spending/gate-routes.ts';
import { oauthRoutes } from '../accounts/oauth.ts';
import { operationRoutes } from '../operation/health.ts';
import { operatorListRoutes } from '../operator/operator-lists.ts';
import { operatorAccessRoutes, operatorRoutes } from '../operator/operator-routes.ts';
import { operatorTokenRoutes } from '../operator/operator-tokens.ts';
import { moneyPathRoutes } from '../operator/money-path.ts';
import { overviewRoutes } from '../operator/overview.ts';
import { childPassRoutes } from '../spending/child-passes.ts';
import { passRoutes } from '../spending/pass-routes.ts';
import { payoutRoutes } from '../money/payout-routes.ts';
import { pricePreviewRoutes } from '../tools/price-preview.ts';
import { reconcileRoutes } from '../operator/reconciliation.ts';
import { creditNoteRoutes } from '../money/credit-notes.ts';
import { refundRoutes } from '../money/refunds.ts';
import { sandboxRoutes } from '../sandbox/sandbox-routes.ts';
import { sandboxTroubleRoutes } from '../sandbox/sandbox-trouble-routes.ts';
import { secondFactorRoutes } from '../accounts/second-factor.ts';
import { stripeRoutes } from '../money/stripe-webhook.ts';
import { toolRoutes } from '../tools/tool-routes.ts';
import { traceRoutes } from '../operator/trace.ts';
import { unknownOutcomeRoutes } from '../operator/unknown-outcomes.ts';
import { usageRoutes } from '../money/usage.ts';
import { mailLinkRoutes } from '../accounts/mail-links.ts';
import { notificationPreferenceRoutes } from '../webhooks/notification-preferences.ts';
import { operatorWebhookRoutes } from '../webhooks/operator-webhook-routes.ts';
import { webhookEndpointRoutes } from '../webhooks/webhook-endpoint-routes.ts';
import { webhookEventRoutes } from '../webhooks/webhook-events.ts';

/** The only table of routes. Services mount their routes from it; the OpenAPI document and tests read it. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...browserSessionRoutes,
  ...deviceLoginRoutes,
  ...oauthRoutes,
  ...consentRoutes,
  ...secondFactorRoutes,
  ...passwordRoutes,
  ...mailLinkRoutes,
  ...passRoutes,
  ...childPassRoutes,
  ...toolRoutes,
  ...pricePreviewRoutes,
  ...eventRoutes,
  ...gateRoutes,
  ...approvalRoutes,
  ...traceRoutes,
  ...usageRoutes,
  ...billingAccountRoutes,
  ...balanceRoutes,
  ...forecastRoutes,
  ...webhookEndpointRoutes,
  ...webhookEventRoutes,
  ...notificationPreferenceRoutes,
  ...embedRoutes,
  ...sandboxRoutes,
  ...stripeRoutes,
  ...clockRoutes,
  ...sandboxTroubleRoutes,
  ...operatorRoutes,
  ...operatorListRoutes,
  ...overviewRoutes,
  ...moneyPathRoutes,
  ...unknownOutcomeRoutes,
  ...operatorAccessRoutes,
  ...operatorTokenRoutes,
  ...operatorWebhookRoutes,
  ...auditRoutes,
  ...creditNoteRoutes,
  ...refundRoutes,
  ...reconcileRoutes,
  ...collectionRoutes,
  ...invoiceRoutes,
  ...payoutRoutes,
  ...operationRoutes,
  ...closureRoutes,
];

/** The routes that one service mounts. */
export function routesOf(service: ServiceName): readonly Route[] {
  return routes.filter((route) => route.service === service);
}

/** Whether a route exists with this payment processor: each processor has routes of its own. */
export function isServedWith(processor: ProcessorName): (route: Route) => boolean {
  return (route) => route.processor === undefined || route.processor === processor;
}

interface PathRule {
  /** A regular expression that JavaScript and PCRE read alike: the edge's configuration contains it too. */
  readonly pattern: string;
  readonly service: ServiceName;
}

/** Which service answers a path: the first rule that fits, else billing. */
export const pathRules: readonly PathRule[] = [
  { pattern: '^/v1/events/[^/]+/trace$', service: 'billing' }, // it follows an event into its invoice
  { pattern: '^/v1/(events|passes|authorizations|operator/dead-letters)(/|$)', service: 'ingest-gateway' },
  { pattern: '^/v1/(billing/budget|billing/alerts|operator/alerts)$', service: 'ingest-gateway' },
  { pattern: '^/v1/(operator/)?webhook-(endpoints|events)(/|$)', service: 'notifier' },
  { pattern: '^/(v1/notification-preferences|unsubscribe)$', service: 'notifier' },
  { pattern: '^/(v1/auth|v1/api-keys|v1/embeds|[.]well-known)(/|$)', service: 'auth' },
  { pattern: '^/(device|password-reset|email-confirmation)$', service: 'auth' }, // people type the first
  { pattern: '^/oauth(/|$)', service: 'auth' },
  { pattern: '^(/v1)?/approvals(/|$)', service: 'auth' },
  { pattern: '^/v1/operator/code$', service: 'auth' },
  { pattern: '^/v1/operator/accounts/[^/]+/(suspend|resume|sessions|api-keys)$', service: 'auth' },
  { pattern: '^/v1/operator/(audit|erasures)$', service: 'auth' },
  { pattern: '^/v1/operator/tokens(/|$)', service: 'auth' },
];

const compiledRules = pathRules.map(({ pattern, service }) => ({ pattern: new RegExp(pattern), service }));

/** The service that answers a path, known or not. Billing answers 404 to paths that no service owns. */
export function serviceFor(_method: string, path: string): ServiceName {
  return compiledRules.find(({ pattern }) => pattern.test(path))?.service ?? 'billing';
}
