import type { ProcessorName, Route, ServiceName } from './route.ts';
import { authRoutes } from './routes/auth-routes.ts';
import { billingAccountRoutes } from './routes/billing-account-routes.ts';
import { billingRoutes } from './routes/billing-routes.ts';
import { clockRoutes } from './routes/clock-routes.ts';
import { collectionRoutes } from './routes/collection-routes.ts';
import { eventRoutes } from './routes/event-routes.ts';
import { operationRoutes } from './routes/operation-routes.ts';
import { operatorRoutes } from './routes/operator-routes.ts';
import { payoutRoutes } from './routes/payout-routes.ts';
import { reconcileRoutes } from './routes/reconcile-routes.ts';
import { refundRoutes } from './routes/refund-routes.ts';
import { sandboxRoutes } from './routes/sandbox-routes.ts';
import { sandboxTroubleRoutes } from './routes/sandbox-trouble-routes.ts';
import { stripeRoutes } from './routes/stripe-routes.ts';
import { toolRoutes } from './routes/tool-routes.ts';
import { traceRoutes } from './routes/trace-routes.ts';
import { usageRoutes } from './routes/usage-routes.ts';

/** The one table of all routes: services mount from it, the documentation and the tests are made from it. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...toolRoutes,
  ...eventRoutes,
  ...traceRoutes,
  ...usageRoutes,
  ...billingAccountRoutes,
  ...sandboxRoutes,
  ...stripeRoutes,
  ...clockRoutes,
  ...sandboxTroubleRoutes,
  ...operatorRoutes,
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

/** Whether a route is there when this processor moves the money: each brings routes of its own. */
export function isServedWith(processor: ProcessorName): (route: Route) => boolean {
  return (route) => route.processor === undefined || route.processor === processor;
}

interface PathRule {
  /** A regular expression that JavaScript and PCRE read alike: the configuration of the edge is made from it too. */
  readonly pattern: string;
  readonly service: ServiceName;
}

/** Which service answers a path: the first rule that fits, else billing. */
export const pathRules: readonly PathRule[] = [
  { pattern: '^/v1/events/[^/]+/trace$', service: 'billing' }, // it follows an event into its invoice
  { pattern: '^/v1/(events|operator/dead-letters)(/|$)', service: 'ingest-gateway' },
  { pattern: '^/(v1/auth|v1/api-keys|[.]well-known)(/|$)', service: 'auth' },
];

const compiledRules = pathRules.map(({ pattern, service }) => ({ pattern: new RegExp(pattern), service }));

/** Which service answers a path, known or not. What nobody owns is billing's to answer 404. */
export function serviceFor(_method: string, path: string): ServiceName {
  return compiledRules.find(({ pattern }) => pattern.test(path))?.service ?? 'billing';
}
