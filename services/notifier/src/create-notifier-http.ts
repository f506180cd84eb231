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

export interface NotifierHttpDeps {
  readonly worker: Queryable;
  readonly controllers: readonly NestController[];
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** Creates the HTTP side: the controllers, and what stands in front of them. */
export function createNotifierHttp(config: Config, deps: NotifierHttpDeps): NestHttp {
  const { worker, controllers, credentials, clock, log, metrics } = deps;
  const guard = createAccessGuard((request) => authorize(request, credentials), createRecordExport(worker));
  const nest = createNestHttp({ name: 'notifier-http', controllers, guard });
  const handle = createFront({
    routes: routesOf('notifier'),
    log,
    clock,
    handle: nest.handle,
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    allowOrigins: createAllowOrigins(config.CORS_ORIGINS),
    limits: createRouteLimits(config, clock),
    ...(metrics && { onAnswered: observeAnswers(metrics) }),
  });
  return { ...nest, handle };
}
