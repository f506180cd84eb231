import { isServedWith, routesOf } from '@tollgate/contracts/routes/routes';
import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Checks } from '@tollgate/kernel/service';
import { createRecordExport } from '@tollgate/runtime/audit/record-export';
import { authorize } from '@tollgate/runtime/auth/require-access';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import { createTrustedProxies } from '@tollgate/runtime/http/requests/client-address';
import { createAllowOrigins } from '@tollgate/runtime/http/serving/cross-origin';
import { createFront } from '@tollgate/runtime/http/serving/front';
import { createHealth } from '@tollgate/runtime/http/serving/health';
import { observeAnswers } from '@tollgate/runtime/metrics/observe-answers';
import { createRouteLimits } from '@tollgate/runtime/http/requests/route-limits';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createAccessGuard } from '@tollgate/runtime/nest/access-guard';
import { createNestHttp, type NestController, type NestHttp } from '@tollgate/runtime/nest/create-nest-http';
import type { Config } from './config.ts';
import { builtConsole } from './console/console-files.ts';
import { readFramers } from './console/sql-framers.ts';
import { createConsole } from './console/serve-console.ts';
import { createApiDocs, readVersion } from './docs/api-docs.ts';

export interface BillingHttpDeps {
  readonly worker: Queryable;
  readonly controllers: readonly NestController[];
  readonly credentials: Credentials;
  readonly readiness: () => Checks;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** Creates the HTTP side: health, the API's documentation, and the controllers behind them. */
export function createBillingHttp(config: Config, deps: BillingHttpDeps): NestHttp {
  const { worker, controllers, credentials, readiness, clock, log, metrics } = deps;
  const guard = createAccessGuard((request) => authorize(request, credentials), createRecordExport(worker));
  const nest = createNestHttp({ name: 'billing-http', controllers, guard });
  // A listener that stops answers by itself.
  const answerHealth = createHealth({ readiness, isStopping: () => false, showsChecks: false, clock, log });
  const answerApiDocs = createApiDocs({ version: readVersion() });
  const answerConsole = createConsole({ folder: builtConsole(), framersOf: (embedId) => readFramers(worker, embedId) });
  const handle = createFront({
    routes: routesOf('billing').filter(isServedWith(config.PROCESSOR)),
    log,
    clock,
    handle(request, response) {
      if (answerHealth(request, response) || answerApiDocs(request, response)) return undefined;
      const shown = answerConsole(request, response);
      if (shown !== false) return shown === true ? undefined : shown;
      return nest.handle(request, response);
    },
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    allowOrigins: createAllowOrigins(config.CORS_ORIGINS),
    limits: createRouteLimits(config, clock),
    ...(metrics && { onAnswered: observeAnswers(metrics) }),
  });
  return { ...nest, handle };
}
