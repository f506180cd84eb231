import { routesOf } from '@tollgate/contracts/routes/routes';
import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { createRecordExport } from '@tollgate/runtime/audit/record-export';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import { authorize } from '@tollgate/runtime/auth/require-access';
import { createTrustedProxies } from '@tollgate/runtime/http/requests/client-address';
import { createRouteLimits } from '@tollgate/runtime/http/requests/route-limits';
import { createAllowOrigins } from '@tollgate/runtime/http/serving/cross-origin';
import { createFront } from '@tollgate/runtime/http/serving/front';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { observeAnswers } from '@tollgate/runtime/metrics/observe-answers';
import { createAccessGuard } from '@tollgate/runtime/nest/access-guard';
import { createNestHttp, type NestController, type NestHttp } from '@tollgate/runtime/nest/create-nest-http';
import type { Config } from './config.ts';
import { allowOAuthOrigins } from './oauth/allow-oauth-origins.ts';
import type { ServeOAuth } from './oauth/serve-oauth.ts';

export interface AuthHttpDeps {
  readonly worker: Queryable;
  readonly controllers: readonly NestController[];
  /** Answers what is the library's. */
  readonly oauth: ServeOAuth;
  readonly credentials: Credentials;
  /** In place of that of `credentials`. */
  readonly authenticate: Credentials['authenticate'];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** Creates the HTTP side: the controllers, the library of OAuth, and what stands in front of them. */
export function createAuthHttp(config: Config, deps: AuthHttpDeps): NestHttp {
  const { worker, controllers, oauth, credentials, authenticate, clock, log, metrics } = deps;
  const guard = createAccessGuard(
    (request) => authorize(request, { ...credentials, authenticate }), // spread anew: hasOperator changes
    createRecordExport(worker),
  );
  const nest = createNestHttp({ name: 'auth-http', controllers, guard });
  const handle = createFront({
    routes: routesOf('auth'),
    log,
    clock,
    handle: (request, response) => (oauth.answers(request) ? oauth : nest).handle(request, response),
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    allowOrigins: allowOAuthOrigins(createAllowOrigins(config.CORS_ORIGINS)),
    limits: createRouteLimits(config, clock),
    ...(metrics && { onAnswered: observeAnswers(metrics) }),
  });
  return { ...nest, handle };
}
