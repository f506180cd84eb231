import type { ProcessorName, Route, ServiceName } from './route.ts';
import { auditRoutes } from './routes/audit-routes.ts';
import { authRoutes } from './routes/auth-routes.ts';
import { balanceRoutes } from './routes/balance-routes.ts';
import { billingAccountRoutes } from './routes/billing-account-routes.ts';
import { billingRoutes } from './routes/billing-routes.ts';
import { clockRoutes } from './routes/clock-routes.ts';
import { collectionRoutes } from './routes/collection-routes.ts';
import { deviceLoginRoutes } from './routes/device-login-routes.ts';
import { eventRoutes } from './routes/event-routes.ts';
import { gateRoutes } from './routes/gate-routes.ts';
import { operationRoutes } from './routes/operation-routes.ts';
import { operatorListRoutes } from './routes/operator-list-routes.ts';
import { operatorAccessRoutes } from './routes/operator-access-routes.ts';
import { operatorTokenRoutes } from './routes/operator-token-routes.ts';
import { operatorRoutes } from './routes/operator-routes.ts';
import { passRoutes } from './routes/pass-routes.ts';
import { passwordRoutes } from './routes/password-routes.ts';
import { payoutRoutes } from './routes/payout-routes.ts';
import { reconcileRoutes } from './routes/reconcile-routes.ts';
import { creditNoteRoutes } from './routes/credit-note-routes.ts';
import { refundRoutes } from './routes/refund-routes.ts';
import { sandboxRoutes } from './routes/sandbox-routes.ts';
import { sandboxTroubleRoutes } from './routes/sandbox-trouble-routes.ts';
import { secondFactorRoutes } from './routes/second-factor-routes.ts';
import { stripeRoutes } from './routes/stripe-routes.ts';
import { toolRoutes } from './routes/tool-routes.ts';
import { traceRoutes } from './routes/trace-routes.ts';
import { usageRoutes } from './routes/usage-routes.ts';

/** The only table of routes. Services mount their routes from it; the OpenAPI document and tests read it. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...deviceLoginRoutes,
  ...secondFactorRoutes,
  ...passwordRoutes,
  ...passRoutes,
  ...toolRoutes,
  ...eventRoutes,
  ...gateRoutes,
  ...traceRoutes,
  ...usageRoutes,
  ...billingAccountRoutes,
  ...balanceRoutes,
  ...sandboxRoutes,
  ...stripeRoutes,
  ...clockRoutes,
  ...sandboxTroubleRoutes,
  ...operatorRoutes,
  ...operatorListRoutes,
  ...operatorAccessRoutes,
  ...operatorTokenRoutes,
  ...auditRoutes,
  ...creditNoteRoutes,
  ...refundRoutes,
  ...reconcileRoutes,
  ...collectionRoutes,
  ...billingRoutes,
  ...payoutRoutes,
  ...operationRoutes,
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
  { pattern: '^/(v1/auth|v1/api-keys|[.]well-known)(/|$)', service: 'auth' },
  { pattern: '^/device$', service: 'auth' }, // people type it
  { pattern: '^/v1/operator/code$', service: 'auth' },
  { pattern: '^/v1/operator/accounts/[^/]+/(suspend|resume|sessions|api-keys)$', service: 'auth' },
  { pattern: '^/v1/operator/audit$', service: 'auth' },
  { pattern: '^/v1/operator/tokens(/|$)', service: 'auth' },
];

const compiledRules = pathRules.map(({ pattern, service }) => ({ pattern: new RegExp(pattern), service }));

/** The service that answers a path, known or not. Billing answers 404 to paths that no service owns. */
export function serviceFor(_method: string, path: string): ServiceName {
  return compiledRules.find(({ pattern }) => pattern.test(path))?.service ?? 'billing';
}
